package io.holdfast.cli.run;

/** A demand on a command under a lock. A later constant is the stronger one. */
enum Demand {
  NOTHING,
  STOP,
  KILL;

  /** The demands made so far: a demand is made once, and only a stronger one is made after it. */
  static final class Rising {

    private Demand made = NOTHING;

    /** Returns the demand if it is stronger than those made before, else {@link #NOTHING}. */
    Demand to(Demand demand) {
      if (demand.compareTo(made) <= 0) {
        return NOTHING;
      }
      made = demand;
      return demand;
    }

    /** Tells whether anything was demanded. */
    boolean isMade() {
      return made != NOTHING;
    }
  }
}
