package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.BadRequestException;
import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.RequestKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where everything lies. Behind the prefix and a colon:
 *
 * <ul>
 *   <li>{@code namespace}: its settings
 *   <li>{@code s:SESSION}: a session; {@code s:SESSION⇥REQUEST}: that this request was revoked
 *   <li>{@code l:NAME⇥REQUEST}: a request in the queue of a lock
 *   <li>{@code m:NAME⇥REQUEST}: that it was revoked; {@code m:NAME⇥REQUEST⇥t}: a whole TTL has not
 *       passed since then
 * </ul>
 *
 * <p>⇥ is a tab. No name has one, and it is smaller than all that a name has: so no lock's keys lie
 * between another's, and locks are in the order of their names' bytes. No prefix has a colon, so
 * namespaces do not meet either.
 */
final class Keys {

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._/-]{1,200}");
  private static final char TAB = '\t';
  private static final char AFTER_TAB = '\n';

  private final String prefix;

  /**
   * Takes a prefix.
   *
   * @throws BadRequestException if it has other characters than letters, digits and {@code ._/-}
   */
  Keys(String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new BadRequestException(
          "A prefix of keys has 1 to 200 letters, digits and ._/- characters; this is \"%s\"."
              .formatted(prefix));
    }
    this.prefix = prefix + ":";
  }

  /** A range of keys, its end left out. */
  record Range(ByteSequence from, ByteSequence to) {}

  ByteSequence namespace() {
    return bytes(prefix + "namespace");
  }

  ByteSequence session(SessionId session) {
    return bytes(sessionText(session));
  }

  /** A session and its notices. */
  Range sessionWithNotices(SessionId session) {
    return withBelow(sessionText(session));
  }

  ByteSequence notice(RequestId request) {
    return bytes(sessionText(request.session()) + TAB + request);
  }

  /** The queue of a lock. */
  Range queue(LockName name) {
    return below(lockText(name));
  }

  ByteSequence place(RequestKey key) {
    return bytes(lockText(key.name()) + TAB + key.request());
  }

  /** All marks of a lock. */
  Range marks(LockName name) {
    return below(marksText(name));
  }

  ByteSequence mark(RequestKey key) {
    return bytes(marksText(key.name()) + TAB + key.request());
  }

  ByteSequence timer(RequestKey key) {
    return bytes(marksText(key.name()) + TAB + key.request() + TAB + 't');
  }

  /** The mark of a request and its timer. */
  Range markWithTimer(RequestKey key) {
    return withBelow(marksText(key.name()) + TAB + key.request());
  }

  /** The queues of all locks whose names begin with a text, or of those behind a name. */
  Range queues(String namePrefix, Optional<LockName> after) {
    ByteSequence from =
        bytes(after.map(name -> lockText(name) + AFTER_TAB).orElse(prefix + "l:" + namePrefix));
    ByteSequence start = bytes(prefix + "l:" + namePrefix);
    byte[] end = start.getBytes();
    end[end.length - 1]++; // No byte of UTF-8 is 0xff.
    return new Range(compare(from, start) < 0 ? start : from, ByteSequence.from(end));
  }

  /** Returns whether a key is one of a queue. */
  boolean isPlace(ByteSequence key) {
    return key.startsWith(bytes(prefix + "l:"));
  }

  /** Returns which request lies under a key of a queue. */
  RequestKey requestAt(ByteSequence place) {
    String text = place.toString(StandardCharsets.UTF_8);
    int tab = text.lastIndexOf(TAB);
    return new RequestKey(
        new LockName(text.substring(prefix.length() + 2, tab)),
        RequestId.parse(text.substring(tab + 1)));
  }

  /** Returns which request a key of the session's range is a notice about; empty if none. */
  static Optional<RequestId> noticeAt(KeyValue entry) {
    String text = entry.getKey().toString(StandardCharsets.UTF_8);
    int tab = text.lastIndexOf(TAB);
    return tab < 0 ? Optional.empty() : Optional.of(RequestId.parse(text.substring(tab + 1)));
  }

  static ByteSequence bytes(String text) {
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

  private String marksText(LockName name) {
    return prefix + "m:" + name;
  }

  private static Range below(String text) {
    return new Range(bytes(text + TAB), bytes(text + AFTER_TAB));
  }

  private static Range withBelow(String text) {
    return new Range(bytes(text), bytes(text + AFTER_TAB));
  }
}
