package io.holdfast.redis.script;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.record.RequestId;

/** Turns values into arguments of scripts. */
public final class Arguments {

  private static final byte[] YES = {'1'};
  private static final byte[] NO = {'0'};

  private Arguments() {}

  /** Returns an id, a number or a word as bytes. */
  public static byte[] ascii(Object value) {
    return value.toString().getBytes(US_ASCII);
  }

  /** Returns an id as bytes, without its text between: it is in every call. */
  public static byte[] ascii(RequestId request) {
    String session = request.session().value();
    String serial = Long.toString(request.serial());
    byte[] bytes = new byte[session.length() + 1 + serial.length()];
    int end = put(session, bytes, 0);
    bytes[end] = '-';
    put(serial, bytes, end + 1);
    return bytes;
  }

  private static int put(String digits, byte[] into, int at) {
    for (int i = 0; i < digits.length(); i++) {
      into[at + i] = (byte) digits.charAt(i);
    }
    return at + digits.length();
  }

  /** Returns any text as bytes. */
  public static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  /** Returns "1" for true and "0" for false. */
  public static byte[] flag(boolean set) {
    return set ? YES : NO;
  }
}
