package io.holdfast.tck.process;

/** What rules about many clients need. */
public interface ProcessRules {

  /** Returns the store to be tried. Called once for each rule. */
  ProcessSubject processSubject();
}
