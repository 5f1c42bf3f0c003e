package io.holdfast.benchmarks.rungs;

/** The promises that demand more than the limit does, with the rules that prove them. */
final class Clauses {

  static final String IDEMPOTENT = "a release by another request frees nothing (HF-REL-05)";
  static final String ANSWERS = "a grant tells its number, and a release what it did";
  static final String SESSION = "a session that is over is granted nothing (HF-GRB-10)";
  static final String GUARD =
      "nobody is granted anything until earlier leases have run out (HF-FOV-01)";
  static final String INCARNATION = "a session of before a fail-over is over (HF-FOV-03)";
  static final String RISING = "rising tokens: max(the store's clock, last number + 1)";
  static final String RECORD = "who, why and process are in the record";

  private Clauses() {}
}
