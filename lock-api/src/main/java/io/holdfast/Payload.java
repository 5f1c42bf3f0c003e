package io.holdfast;

import io.holdfast.error.BadRequestException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A few bytes that a holder publishes with its lock, such as its address. Immutable. */
public final class Payload {

  /** The greatest length of a payload, in bytes. */
  public static final int BYTES_MAX = 4096;

  /** No payload. */
  public static final Payload EMPTY = new Payload(new byte[0]);

  private final byte[] bytes;

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns a payload with a copy of these bytes.
   *
   * @throws BadRequestException if there are more than {@link #BYTES_MAX}
   */
  public static Payload of(byte[] bytes) {
    if (bytes.length > BYTES_MAX) {
      throw new BadRequestException(
          "A payload may have at most %s bytes; this one has %s."
              .formatted(BYTES_MAX, bytes.length));
    }
    return bytes.length == 0 ? EMPTY : new Payload(bytes.clone());
  }

  /** Returns a payload of the text's UTF-8 bytes. */
  public static Payload ofText(String text) {
    return of(LockName.utf8("A payload", text));
  }

  /** Returns a copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the bytes decoded as UTF-8. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns whether the payload has no bytes. */
  public boolean isEmpty() {
    return bytes.length == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload && Arrays.equals(bytes, payload.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Payload[" + bytes.length + " bytes]";
  }
}
