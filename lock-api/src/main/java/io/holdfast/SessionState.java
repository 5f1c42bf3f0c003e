package io.holdfast;

/** How far a process can rely on its session. */
public enum SessionState {
  /** The lease is in force. */
  SAFE,
  /** A renewal is overdue; the lease is still in force. */
  LATE,
  /** The lease has run out by this process's clocks; a renewal may still save it. */
  JEOPARDY,
  /** The session is over, or given up; every grant under it is lost. */
  EXPIRED
}
