package io.holdfast.cli.options;

/** A subcommand that works on a store. */
public interface UsesStore {

  /** Returns the user's options for the store. */
  StoreOptions store();
}
