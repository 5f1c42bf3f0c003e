package io.holdfast.benchmarks.contender;

/** Something that takes locks and gives them back, and whose speed is compared with others'. */
public interface Contender {

  /** The purpose of comparing a contender. */
  enum Role {
    /** Two bare calls of the driver that store and delete one holder: no lock can be faster. */
    LIMIT,
    HOLDFAST,
    /** Another library, a lock of the store itself, or Holdfast as it was before. */
    PEER
  }

  /** Returns its name as in tables, such as {@code Redisson RLock}. */
  String name();

  /** Returns what it is compared for. */
  Role role();

  /** Returns whether a thread that asks for a lock that another has waits for it. */
  default boolean waitsForLocks() {
    return role() != Role.LIMIT;
  }

  /** Returns how it is configured, in one line, as the report prints it. */
  String settings();

  /**
   * Connects.
   *
   * @param threads how many threads will use it at once: where connections are not shared by
   *     threads it has one for each
   */
  OpenContender open(int threads) throws Exception;
}
