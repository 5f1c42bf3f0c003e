package io.holdfast.benchmarks.counts;

/** The figures of every operation, where the store tells them. */
public enum Figure {
  /** How often a client had to wait for an answer before it could go on. */
  ROUND_TRIPS("round trips"),
  /** Those sent together are one round trip. */
  REQUESTS("requests"),
  /** With the protocol's own, but not TCP's. */
  SENT_BYTES("bytes to the server"),
  RECEIVED_BYTES("bytes to the client"),
  /** Those inside a script or a transaction are counted, too. */
  COMMANDS("commands in the server"),
  /** To the log that survives a crash. */
  WRITTEN_BYTES("bytes written"),
  /** By the server's own account, without the network. */
  SERVER_MICROS("server µs");

  private final String heading;

  Figure(String heading) {
    this.heading = heading;
  }

  /** Returns its name for people. */
  public String heading() {
    return heading;
  }
}
