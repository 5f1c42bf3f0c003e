package io.holdfast.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.BackendUnusableException;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A text form of a lock's queue, for stores that keep it in the lock's record: every database and
 * script can find, cut and append an entry with nothing but {@code instr}, {@code substr} and
 * concatenation. Every step on the queue is one change of one record then, and no wake-up can fall
 * between two.
 *
 * <pre>{@code
 * queue = entry*                                          the first one holds
 * entry = "!" request "," mode "," process "," why "," payload ";"
 * }</pre>
 *
 * <p>{@code !}, {@code ,} and {@code ;} occur in no field: ids are hexadecimal digits, a dash and a
 * number, and free text is in URL-safe base 64. Therefore {@link #mark} matches one request and no
 * other, and the session of the head always is the 32 characters after the first.
 */
public final class QueueText {

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
  private static final int FIELDS = 5;

  private QueueText() {}

  /** Returns the text by which a request is found in a queue. */
  public static String mark(RequestId request) {
    return "!" + request + ",";
  }

  /** Returns the entry of a request. */
  public static String entry(Request request) {
    return mark(request.id())
        + mode(request.mode())
        + ","
        + encode(request.process().value().getBytes(UTF_8))
        + ","
        + encode(request.why().getBytes(UTF_8))
        + ","
        + encode(request.payload().bytes())
        + ";";
  }

  /**
   * Reads a queue, from its head on.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  public static List<QueueEntry> parse(String queue) {
    List<QueueEntry> entries = new ArrayList<>();
    int start = 0;
    while (start < queue.length()) {
      int end = queue.indexOf(';', start);
      if (end < 0 || queue.charAt(start) != '!') {
        throw new IllegalArgumentException("Not a queue entry: " + queue.substring(start));
      }
      entries.add(parseEntry(queue.substring(start + 1, end)));
      start = end + 1;
    }
    return entries;
  }

  /**
   * Reads a lock's queue, from its head on.
   *
   * @throws BackendUnusableException if the text on record is not one
   */
  public static List<QueueEntry> parse(LockName lock, String queue) {
    try {
      return parse(queue);
    } catch (RuntimeException e) {
      throw new BackendUnusableException(
          "The record of lock %s is damaged: its queue cannot be read. Delete the record, or break the lock."
              .formatted(lock),
          e);
    }
  }

  /** Returns the requests in a queue, from its head on, at most so many. */
  public static List<RequestId> requests(String queue, int most) {
    List<RequestId> requests = new ArrayList<>();
    int start = 0;
    while (start < queue.length() && requests.size() < most) {
      requests.add(RequestId.parse(queue.substring(start + 1, queue.indexOf(',', start))));
      start = queue.indexOf(';', start) + 1;
    }
    return requests;
  }

  /** Returns the last request in a queue that is not empty. */
  public static RequestId last(String queue) {
    int start = queue.lastIndexOf('!') + 1;
    return RequestId.parse(queue.substring(start, queue.indexOf(',', start)));
  }

  /** Returns the session of the head of a queue that is not empty. */
  public static SessionId headSession(String queue) {
    return new SessionId(queue.substring(1, 1 + SessionId.LENGTH));
  }

  /** Returns how many requests stand in a queue before a position in its text. */
  public static int countBefore(String queue, int position) {
    return (int) queue.substring(0, position).chars().filter(c -> c == ';').count();
  }

  private static QueueEntry parseEntry(String text) {
    String[] fields = text.split(",", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("Not a queue entry: " + text);
    }
    return new QueueEntry(
        RequestId.parse(fields[0]),
        mode(fields[1]),
        new ProcessIdentity(new String(DECODER.decode(fields[2]), UTF_8)),
        new String(DECODER.decode(fields[3]), UTF_8),
        Payload.of(DECODER.decode(fields[4])));
  }

  private static String encode(byte[] bytes) {
    return ENCODER.encodeToString(bytes);
  }

  private static String mode(LockMode mode) {
    return switch (mode) {
      case EXCLUSIVE -> "x";
      case SHARED -> "s";
    };
  }

  private static LockMode mode(String text) {
    return switch (text) {
      case "x" -> LockMode.EXCLUSIVE;
      case "s" -> LockMode.SHARED;
      default -> throw new IllegalArgumentException("Not a mode: " + text);
    };
  }
}
