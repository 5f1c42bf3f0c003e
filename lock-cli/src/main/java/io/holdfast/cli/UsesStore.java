package io.holdfast.cli;

/** A subcommand that works on a store. */
interface UsesStore {

  /** Returns what the user said about the store. */
  StoreOptions store();
}
