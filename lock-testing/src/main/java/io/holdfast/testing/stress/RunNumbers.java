package io.holdfast.testing.stress;

/**
 * Which numbers those have who share a lock. An exclusive one is above all before it in any case.
 */
public enum RunNumbers {

  /** All who hold together have one, and a downgrade draws another. */
  ONE_FOR_ALL,

  /** Each has its own, above those of all exclusive holders before it, and keeps it. */
  EACH_ITS_OWN
}
