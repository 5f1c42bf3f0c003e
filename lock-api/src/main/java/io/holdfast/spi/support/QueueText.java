package io.holdfast.spi.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.BackendUnusableException;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.Request;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text form of a lock's queue, for stores that keep the queue in the lock's record. Every
 * database and script can find, remove and append an entry with only {@code instr}, {@code substr}
 * and concatenation. So every step on the queue is one change of one record, and no wake-up can be
 * lost between two changes.
 *
 * <pre>{@code
 * queue = entry*                                          the first one holds
 * entry = "!" request "," mode "," process "," why "," payload ";"
 * }</pre>
 *
 * <p>{@code !}, {@code ,} and {@code ;} occur in no field: ids are hexadecimal digits, a dash and a
 * number, and free text is in URL-safe base 64. Therefore {@link #mark} matches exactly one
 * request, and the session of the head is always the 32 characters after the first character.
 */
public final class QueueText {

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
  private static final int FIELDS = 5;

  private static final int MARK_LENGTH_MAX = SessionId.LENGTH + 22;

  /** The last one that was encoded: nearly all requests of a JVM are of one process. */
  private static volatile @Nullable Who lastWho;

  /** The mode and the process in an entry; and with them its end, without reason and payload. */
  private record Who(LockMode mode, String process, String text, String andNoMore) {}

  private QueueText() {}

  /** Returns the text that marks the request's entry in a queue. */
  public static String mark(RequestId request) {
    StringBuilder mark = new StringBuilder(MARK_LENGTH_MAX);
    mark.append('!').append(request.session().value());
    mark.append('-').append(request.serial());
    return mark.append(',').toString();
  }

  /** Returns the {@link #mark} of an entry. */
  public static String markOf(String entry) {
    return entry.substring(0, entry.indexOf(',') + 1);
  }

  /** Returns the entry of a request. */
  public static String entry(Request request) {
    String mark = mark(request.id());
    Who who = who(request);
    if (request.why().isEmpty() && request.payload().isEmpty()) {
      return mark.concat(who.andNoMore());
    }
    return mark
        + who.text()
        + ','
        + encode(request.why().getBytes(UTF_8))
        + ','
        + encode(request.payload().bytes())
        + ';';
  }

  private static Who who(Request request) {
    String process = request.process().value();
    Who last = lastWho;
    if (last != null && last.mode() == request.mode() && last.process().equals(process)) {
      return last;
    }
    String text = mode(request.mode()) + ',' + encode(process.getBytes(UTF_8));
    Who who = new Who(request.mode(), process, text, text + ",,;");
    lastWho = who;
    return who;
  }

  /**
   * Reads a queue, from its head on.
   *
   * @throws IllegalArgumentException if the text is not a queue
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
   * @throws BackendUnusableException if the text in the record is not a queue
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

  /** Returns the requests in a queue, from its head on, at most {@code limit} of them. */
  public static List<RequestId> requests(String queue, int limit) {
    List<RequestId> requests = new ArrayList<>();
    int start = 0;
    while (start < queue.length() && requests.size() < limit) {
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

  /** Returns how many requests of a queue are before a position in its text. */
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
    return bytes.length == 0 ? "" : ENCODER.encodeToString(bytes);
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
