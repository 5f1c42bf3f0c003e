package io.holdfast.tck.network;

/** A direction of a connection. */
public enum Direction {
  /** The client sends. */
  TO_SERVER,
  /** The server sends. */
  TO_CLIENT;

  Direction back() {
    return this == TO_SERVER ? TO_CLIENT : TO_SERVER;
  }
}
