package io.holdfast.mongo.connection;

/** Our three collections, by what they hold. */
public enum CollectionRole {
  LOCKS("locks"),
  SESSIONS("sessions"),
  NAMESPACE("namespace");

  private final String suffix;

  CollectionRole(String suffix) {
    this.suffix = suffix;
  }

  /** Returns the name of the collection. */
  public String nameWith(String prefix) {
    return prefix + suffix;
  }
}
