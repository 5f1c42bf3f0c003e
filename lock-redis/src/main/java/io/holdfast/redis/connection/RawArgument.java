package io.holdfast.redis.connection;

import redis.clients.jedis.args.Rawable;

/** An argument of a command that is sent as it is: jedis copies what it is given as bytes. */
final class RawArgument implements Rawable {

  private final byte[] bytes;

  /** Takes over bytes that no caller changes. */
  RawArgument(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public byte[] getRaw() {
    return bytes;
  }
}
