package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;
import static io.holdfast.redis.script.Arguments.utf8;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Request;
import io.holdfast.spi.support.Micros;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The entry of a request, as {@code layout.lua} defines it.
 *
 * @param mode the mode in which the request holds the lock or will hold it
 * @param stay {@code -} for none, else what its stay is for
 * @param from when the stay began, in microseconds
 * @param request the request
 * @param process the identity of the requesting process
 * @param why the reason
 * @param payload the bytes that are published while the lock is held; left out of a waiter's entry
 */
record EntryText(
    LockMode mode,
    char stay,
    long from,
    RequestId request,
    ProcessIdentity process,
    String why,
    Payload payload) {

  private static final char NONE = '-';

  /** A stay that never began, and for no time. */
  private static final byte[] NO_STAY = ascii(NONE + "0".repeat(32));

  private static final int FROM = 2;
  private static final int FROM_END = 18;
  private static final int PROCESS_LENGTH = 50;
  private static final int WHY_LENGTH = 53;
  private static final int REQUEST = 57;

  /** Stands before a request that was given back and stays. */
  private static final char GIVEN_BACK = '~';

  /**
   * Returns the entry of a request that has no stay yet.
   *
   * @param id that of the request, as scripts have it
   */
  static byte[] of(Request request, byte[] id) {
    byte[] process = utf8(request.process().value());
    byte[] why = utf8(request.why());
    byte[] payload = request.payload().bytes();
    ByteBuffer entry =
        ByteBuffer.allocate(REQUEST + id.length + 1 + process.length + why.length + payload.length)
            .put((byte) mode(request.mode()))
            .put(NO_STAY);
    putDigits(entry, 16, delay(request.lockDelay()));
    putDigits(entry, 3, process.length);
    putDigits(entry, 4, why.length);
    return entry.put(id).put((byte) ',').put(process).put(why).put(payload).array();
  }

  private static long delay(Duration lockDelay) {
    return lockDelay.isZero() ? 0 : Micros.exactly("The lock-delay", lockDelay);
  }

  /** Puts a number with zeros before it, without a text of it: each grab would wait for that. */
  private static void putDigits(ByteBuffer entry, int length, long number) {
    int start = entry.position();
    long left = number;
    for (int at = start + length - 1; at >= start; at--) {
      entry.put(at, (byte) ('0' + left % 10));
      left /= 10;
    }
    assert left == 0 : number;
    entry.position(start + length);
  }

  private static char mode(LockMode mode) {
    return mode == LockMode.SHARED ? 's' : 'x';
  }

  /** Returns the mode that a script answered. */
  static LockMode mode(String text) {
    return switch (text) {
      case "x" -> LockMode.EXCLUSIVE;
      case "s" -> LockMode.SHARED;
      default -> throw new IllegalArgumentException("Not a mode: " + text);
    };
  }

  /**
   * Reads the entry of a request.
   *
   * @throws BackendUnusableException if it is none
   */
  static EntryText parse(LockName lock, byte[] entry) {
    try {
      return parse(entry);
    } catch (RuntimeException e) {
      throw new BackendUnusableException(
          "The record of lock %s is damaged: an entry cannot be read. Delete its keys, or break the lock."
              .formatted(lock),
          e);
    }
  }

  private static EntryText parse(byte[] entry) {
    String fixed = new String(entry, 0, REQUEST, US_ASCII);
    int comma = REQUEST;
    while (entry[comma] != ',') {
      comma++;
    }
    int first = entry[REQUEST] == GIVEN_BACK ? REQUEST + 1 : REQUEST;
    int process = comma + 1;
    int why = process + Integer.parseInt(fixed, PROCESS_LENGTH, WHY_LENGTH, 10);
    int payload = why + Integer.parseInt(fixed, WHY_LENGTH, REQUEST, 10);
    return new EntryText(
        mode(fixed.substring(0, 1)),
        fixed.charAt(1),
        Long.parseLong(fixed, FROM, FROM_END, 10),
        RequestId.parse(new String(entry, first, comma - first, US_ASCII)),
        new ProcessIdentity(new String(entry, process, why - process, UTF_8)),
        new String(entry, why, payload - why, UTF_8),
        Payload.of(Arrays.copyOfRange(entry, payload, entry.length)));
  }

  Waiter asWaiter() {
    return new Waiter(request, mode, process, why);
  }

  /**
   * Returns the form in which the request is shown while it holds the lock.
   *
   * @param since when the number of the grant was given
   * @param left the rest of its stay
   * @param due how long it counts
   */
  Holder asHolder(
      Instant since, Liveness liveness, Optional<Duration> left, Optional<Duration> due) {
    Optional<Stay.Reason> reason = reason();
    return new Holder(
        request,
        mode,
        process,
        why,
        payload,
        since,
        liveness,
        reason
            .filter(Stay.Reason.REVOKED::equals)
            .map(revoked -> Instant.EPOCH.plus(from, ChronoUnit.MICROS)),
        reason.map(what -> new Stay(what, left.orElseThrow())),
        due,
        OptionalLong.empty());
  }

  private Optional<Stay.Reason> reason() {
    return switch (stay) {
      case NONE -> Optional.empty();
      case 'r' -> Optional.of(Stay.Reason.REVOKED);
      case 'd' -> Optional.of(Stay.Reason.LOCK_DELAY);
      case 'a' -> Optional.of(Stay.Reason.AT_LEAST);
      default -> throw new IllegalArgumentException("Not a stay: " + stay);
    };
  }
}
