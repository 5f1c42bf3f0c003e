package io.holdfast.etcd.format;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.RequestId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The layout of the keys. After the prefix and a colon:
 *
 * <ul>
 *   <li>{@code namespace}: the settings of the namespace
 *   <li>{@code retiring}: the same, while a retirement makes that key again
 *   <li>{@code s:SESSION}: a session; {@code s:SESSION⇥REQUEST}: notice that a request was revoked;
 *       {@code s:SESSION⇥REQUEST⇥t}: its timer, while the request may still hold
 *   <li>{@code l:NAME⇥SEAT}: a request in the queue of a lock. Its {@link Seat} begins with {@code
 *       x} if it asked for exclusive mode, with {@code s} if for shared mode
 *   <li>{@code m:NAME⇥SEAT} and below it: marks of the request there, see {@link Mark}
 * </ul>
 *
 * <p>⇥ is a tab. Names contain no tab, and a tab is smaller than all characters of names. So the
 * keys of a lock are contiguous, and locks are sorted by the bytes of their names. Prefixes contain
 * no colon, so the keys of two namespaces do not overlap.
 */
public final class Keys {

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._/-]{1,200}");
  static final char TAB = '\t';
  private static final char AFTER_TAB = '\n';

  /** Is greater than what follows a session in a seat. */
  private static final char AFTER_DASH = '.';

  private static final char TIMER = 't';

  private final String prefix;
  private final ByteSequence namespace;
  private final ByteSequence retiring;

  /**
   * Creates it.
   *
   * @throws BadRequestException if the prefix has other characters than letters, digits and {@code
   *     ._/-}
   */
  public Keys(String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new BadRequestException(
          "The prefix of the keys must be 1 to 200 letters, digits and ._/- characters, but is \"%s\"."
              .formatted(prefix));
    }
    this.prefix = prefix + ":";
    this.namespace = bytes(this.prefix + "namespace");
    this.retiring = bytes(this.prefix + "retiring");
  }

  /** A range of keys, without its end. */
  public record Range(ByteSequence from, ByteSequence to) {

    /** Returns what comes after a key. */
    public Range after(ByteSequence key) {
      return new Range(key.concat(ByteSequence.from(new byte[1])), to);
    }
  }

  public ByteSequence namespace() {
    return namespace;
  }

  /** Exists while there is a namespace, but not its key: no other client makes that key then. */
  public ByteSequence retiring() {
    return retiring;
  }

  public ByteSequence session(SessionId session) {
    return bytes(sessionText(session));
  }

  /** All sessions, their notices and their timers. */
  public Range sessions() {
    return new Range(bytes(prefix + "s:"), bytes(prefix + "s;"));
  }

  /** All requests in all queues. */
  public Range requests() {
    return new Range(bytes(prefix + "l:"), bytes(prefix + "l;"));
  }

  /** Returns the session of a key in their range; empty if the key is that of a notice. */
  public Optional<SessionId> sessionAt(ByteSequence key) {
    String text = key.toString(StandardCharsets.UTF_8);
    return text.indexOf(TAB) < 0
        ? Optional.of(new SessionId(text.substring(prefix.length() + 2)))
        : Optional.empty();
  }

  /** A session, its notices and their timers. */
  public Range sessionWithNotices(SessionId session) {
    return withBelow(sessionText(session));
  }

  public ByteSequence notice(RequestId request) {
    return bytes(noticeText(request));
  }

  /** Exists while a request that was revoked with notice may still hold. */
  public ByteSequence noticeTimer(RequestId request) {
    return bytes(noticeText(request) + TAB + TIMER);
  }

  /** The notice of a request and its timer. */
  public Range noticeWithTimer(RequestId request) {
    return withBelow(noticeText(request));
  }

  /** The queue of a lock. */
  public Range queue(LockName name) {
    return below(lockText(name));
  }

  /**
   * The exclusive requests in the queue of a lock. So the request that keeps a shared one out can
   * be found without reading those that share.
   */
  public Range exclusive(LockName name) {
    String text = lockText(name) + TAB;
    char marker = Seat.marker(LockMode.EXCLUSIVE);
    return new Range(bytes(text + marker), bytes(text + (char) (marker + 1)));
  }

  /** All requests of a session for a lock that have asked for a mode. */
  public Range requests(LockName name, SessionId session, LockMode asked) {
    return ofSession(lockText(name), session, asked);
  }

  /** The request at a seat. */
  public ByteSequence request(Seat seat) {
    return bytes(lockText(seat.name()) + TAB + seat.text());
  }

  /** Returns the mode that the request of a key in a queue has asked for. */
  public static LockMode askedAt(ByteSequence key) {
    String text = key.toString(StandardCharsets.UTF_8);
    return Seat.asked(text.charAt(text.lastIndexOf(TAB) + 1));
  }

  /** All marks of all locks. */
  public Range marks() {
    return new Range(bytes(prefix + "m:"), bytes(prefix + "m;"));
  }

  /** All marks of a lock. */
  public Range marks(LockName name) {
    return below(marksText(name));
  }

  /** All marks of all requests of a session for a lock that have asked for a mode. */
  public Range marks(LockName name, SessionId session, LockMode asked) {
    return ofSession(marksText(name), session, asked);
  }

  /** All marks of the request at a seat. */
  public Range marks(Seat seat) {
    return withBelow(marksText(seat));
  }

  public ByteSequence mark(Seat seat, Mark mark) {
    return bytes(marksText(seat) + mark.below());
  }

  /** Returns the seat of a key if the key is a mark of that kind; else empty. */
  public Optional<Seat> seatMarked(ByteSequence key, Mark mark) {
    String text = key.toString(StandardCharsets.UTF_8);
    int tab = text.indexOf(TAB);
    if (!text.startsWith(prefix + "m:") || tab < 0 || !text.endsWith(mark.below())) {
      return Optional.empty();
    }
    String seat = text.substring(tab + 1, text.length() - mark.below().length());
    return seat.indexOf(TAB) < 0
        ? Optional.of(Seat.parse(new LockName(text.substring(prefix.length() + 2, tab)), seat))
        : Optional.empty();
  }

  /** The queues of all locks whose names begin with a text, only of those after a name if given. */
  public Range queues(String namePrefix, Optional<LockName> after) {
    ByteSequence from =
        bytes(after.map(name -> lockText(name) + AFTER_TAB).orElse(prefix + "l:" + namePrefix));
    ByteSequence start = bytes(prefix + "l:" + namePrefix);
    byte[] end = start.getBytes();
    end[end.length - 1]++; // No byte of UTF-8 is 0xff.
    return new Range(compare(from, start) < 0 ? start : from, ByteSequence.from(end));
  }

  /** Returns whether a key is that of a request in a queue. */
  public boolean isRequest(ByteSequence key) {
    return key.startsWith(bytes(prefix + "l:"));
  }

  /** Returns the seat of a key in a queue. */
  public Seat seatAt(ByteSequence key) {
    String text = key.toString(StandardCharsets.UTF_8);
    int tab = text.lastIndexOf(TAB);
    return Seat.parse(
        new LockName(text.substring(prefix.length() + 2, tab)), text.substring(tab + 1));
  }

  /** Returns the revoked request if a key in the range of a session is a notice; else empty. */
  public static Optional<RequestId> noticeAt(KeyValue entry) {
    String[] parts = entry.getKey().toString(StandardCharsets.UTF_8).split(String.valueOf(TAB), -1);
    return parts.length == 2 ? Optional.of(RequestId.parse(parts[1])) : Optional.empty();
  }

  public static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  private static int compare(ByteSequence one, ByteSequence other) {
    return java.util.Arrays.compareUnsigned(one.getBytes(), other.getBytes());
  }

  private String sessionText(SessionId session) {
    return prefix + "s:" + session;
  }

  private String lockText(LockName name) {
    return prefix + "l:" + name;
  }

  private String noticeText(RequestId request) {
    return sessionText(request.session()) + TAB + request;
  }

  private String marksText(LockName name) {
    return prefix + "m:" + name;
  }

  private String marksText(Seat seat) {
    return marksText(seat.name()) + TAB + seat.text();
  }

  private static Range ofSession(String lock, SessionId session, LockMode asked) {
    String text = lock + TAB + Seat.text(session, asked);
    return new Range(bytes(text), bytes(text + AFTER_DASH));
  }

  private static Range below(String text) {
    return new Range(bytes(text + TAB), bytes(text + AFTER_TAB));
  }

  private static Range withBelow(String text) {
    return new Range(bytes(text), bytes(text + AFTER_TAB));
  }
}
