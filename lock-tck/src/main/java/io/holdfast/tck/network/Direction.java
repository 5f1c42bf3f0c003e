package io.holdfast.tck.network;

/** A direction of a connection. */
public enum Direction {
  /** What the client sends. */
  TO_SERVER,
  /** What the server sends. */
  TO_CLIENT;

  Direction back() {
    return this == TO_SERVER ? TO_CLIENT : TO_SERVER;
  }
}
