package io.holdfast.jdbc.postgres.locks;

/** The statements that PostgreSQL's adapter executes for a lock that nobody else wants. */
public final class ShortStatements {

  public static final String GRAB = GrabStatements.GRAB;
  public static final String LEAVE = LeaveStatements.LEAVE;

  private ShortStatements() {}
}
