package io.holdfast.tck.process;

/** The base of rules about many clients. */
public interface ProcessRules {

  /** Returns the store to be tried. Called once for each rule. */
  ProcessSubject processSubject();
}
