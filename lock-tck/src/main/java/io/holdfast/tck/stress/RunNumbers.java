package io.holdfast.tck.stress;

/**
 * Which numbers those have who share a lock. An exclusive one is above all before it in any case.
 */
public enum RunNumbers {

  /** One of the two below: the contract leaves it to the store. */
  EITHER,

  /** All who hold together have one, and a downgrade draws another. */
  ONE_FOR_ALL,

  /** Each has its own, above those of all exclusive holders before it, and keeps it. */
  EACH_ITS_OWN
}
