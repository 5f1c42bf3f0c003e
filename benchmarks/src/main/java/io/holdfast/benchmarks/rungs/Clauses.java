package io.holdfast.benchmarks.rungs;

/** The promises that demand more than the limit does, by their rules. */
final class Clauses {

  static final String IDEMPOTENT = "HF-REL-05: a release by another request frees nothing";
  static final String ANSWERS = "HF-GRB-01: one statement decides, and its answer says so";
  static final String SESSION = "HF-GRB-10: a session that is over is granted nothing";
  static final String GUARD =
      "HF-FOV-01: nobody is granted anything until earlier leases have run out";
  static final String INCARNATION = "HF-FOV-03: a session of before a fail-over is over";
  static final String RISING = "rising tokens: max(the store's clock, last number + 1)";
  static final String RECORD = "who, why and process are in the record";

  private Clauses() {}
}
