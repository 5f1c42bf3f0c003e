package io.holdfast.jdbc.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.database.StoredStay;
import io.holdfast.record.Holder;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A request in a lock's queue. Statements find, append and remove it with only {@code instr},
 * {@code substr} and {@code replace}, so that every step on a queue is one change of one row.
 *
 * <pre>{@code
 * entry = mode "!" request "," process "," why "," payload "," delay "," stay ";"
 * }</pre>
 *
 * <p>The mode is {@code x} or {@code s}. A request that stays without a session has a tilde for the
 * exclamation mark, so that nothing that its client sends finds it. The lock-delay is in
 * microseconds, and empty once it is used up. None of {@code ! ~ , ; @} occurs in a field: ids are
 * hexadecimal digits, a dash and a number, and free text is in URL-safe base 64. Therefore {@link
 * #mark} matches exactly one request, {@code x!} the first exclusive one, and the session of the
 * first is always the 32 characters after the first two.
 *
 * @param text with its end
 */
record Entry(String text) {

  private static final char LEAD = '!';
  private static final char LEAD_OF_TOMBSTONE = '~';
  private static final char END = ';';

  private static final int REQUEST_AT = 2;
  private static final int PROCESS = 1;
  private static final int WHY = 2;
  private static final int PAYLOAD = 3;
  private static final int DELAY = 4;
  private static final int STAY = 5;
  private static final int FIELDS = 6;

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private static final int MARK_LENGTH_MAX = SessionId.LENGTH + 22;

  /** The last one that was encoded: nearly all requests of a JVM are of one process. */
  private static volatile @Nullable Encoded lastProcess;

  /** A process, its text, and with that the end of an entry that says nothing else. */
  private record Encoded(String value, String text, String andNoMore) {}

  /** Returns the text by which a request is found in a queue. */
  static String mark(RequestId request) {
    StringBuilder mark = new StringBuilder(MARK_LENGTH_MAX);
    mark.append(LEAD).append(request.session().value());
    return mark.append('-').append(request.serial()).append(',').toString();
  }

  /** Returns the text with which the {@link #mark} of every request of a session begins. */
  static String beginOfMarks(SessionId session) {
    return LEAD + session.value() + '-';
  }

  /** Returns the text by which a request is found that stays without a session. */
  static String tombstoneMark(RequestId request) {
    return mark(request).replace(LEAD, LEAD_OF_TOMBSTONE);
  }

  static Entry of(Request request) {
    return of(request, mark(request.id()));
  }

  /**
   * Returns the entry of a request.
   *
   * @param mark its {@link #mark}
   */
  static Entry of(Request request, String mark) {
    String begin = letter(request.mode()).concat(mark);
    Encoded process = process(request.process().value());
    if (request.why().isEmpty() && request.payload().isEmpty() && !request.hasLockDelay()) {
      return new Entry(begin.concat(process.andNoMore()));
    }
    return new Entry(
        "%s%s,%s,%s,%s,;"
            .formatted(
                begin,
                process.text(),
                encode(request.why().getBytes(UTF_8)),
                encode(request.payload().bytes()),
                request.hasLockDelay() ? StoreTime.micros(request.lockDelay()) : ""));
  }

  private static Encoded process(String value) {
    Encoded last = lastProcess;
    if (last != null && last.value().equals(value)) {
      return last;
    }
    String text = encode(value.getBytes(UTF_8));
    Encoded process = new Encoded(value, text, text + ",,,,;");
    lastProcess = process;
    return process;
  }

  /** Returns the entries of a queue. */
  static List<Entry> all(String queue) {
    List<Entry> entries = new ArrayList<>();
    int start = 0;
    while (start < queue.length()) {
      int end = queue.indexOf(END, start) + 1;
      if (end == 0) {
        throw new IllegalArgumentException("Not an entry: " + queue.substring(start));
      }
      entries.add(new Entry(queue.substring(start, end)));
      start = end;
    }
    return entries;
  }

  /** Returns the session of the first entry of a queue. */
  static String firstSession(String queue) {
    return queue.substring(REQUEST_AT, REQUEST_AT + SessionId.LENGTH);
  }

  /** Returns how many entries a part of a queue has. */
  static int count(String queue) {
    return (int) queue.chars().filter(c -> c == END).count();
  }

  /** Returns the {@link #mark} of the request. */
  String mark() {
    return text.substring(1, text.indexOf(',') + 1);
  }

  /** Returns all but the mode, by which exactly this text of the entry is found. */
  String exactly() {
    return text.substring(1);
  }

  RequestId request() {
    return RequestId.parse(text.substring(REQUEST_AT, text.indexOf(',')));
  }

  /** Returns the id of its session. */
  String session() {
    return request().session().value();
  }

  /** Whether it stays without a session. */
  boolean isTombstone() {
    return text.charAt(1) == LEAD_OF_TOMBSTONE;
  }

  LockMode mode() {
    return switch (text.charAt(0)) {
      case 'x' -> LockMode.EXCLUSIVE;
      case 's' -> LockMode.SHARED;
      default -> throw new IllegalArgumentException("Not an entry: " + text);
    };
  }

  Optional<StoredStay> stay() {
    return StoredStay.parse(fields()[STAY]);
  }

  /** Returns the lock-delay, in microseconds; 0 if there is none, or none any more. */
  long lockDelay() {
    String delay = fields()[DELAY];
    return delay.isEmpty() ? 0 : Long.parseLong(delay);
  }

  /** Returns the same with a stay. */
  Entry with(StoredStay stay) {
    String[] fields = fields();
    return of(text.substring(0, REQUEST_AT), fields, fields[DELAY], stay.toString());
  }

  /** Returns the same without a lock-delay, because it begins or something has used it up. */
  Entry withoutLockDelay() {
    String[] fields = fields();
    return of(text.substring(0, REQUEST_AT), fields, "", fields[STAY]);
  }

  /** Returns the entry that is left where the request was given back, and stays. */
  Entry tombstone(StoredStay stay) {
    return of("" + text.charAt(0) + LEAD_OF_TOMBSTONE, fields(), "", stay.toString());
  }

  private static Entry of(String begin, String[] fields, String delay, String stay) {
    return new Entry(
        "%s%s,%s,%s,%s,%s,%s;"
            .formatted(
                begin,
                fields[0].substring(REQUEST_AT),
                fields[PROCESS],
                fields[WHY],
                fields[PAYLOAD],
                delay,
                stay));
  }

  private String[] fields() {
    String[] fields = text.substring(0, text.length() - 1).split(",", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("Not an entry: " + text);
    }
    return fields;
  }

  Waiter waiter() {
    String[] fields = fields();
    return new Waiter(
        request(), mode(), new ProcessIdentity(decode(fields[PROCESS])), decode(fields[WHY]));
  }

  /** Returns the form in which the request is shown while it holds. */
  Holder holder(Instant since, Judge judge) {
    String[] fields = fields();
    Optional<StoredStay> stay = stay();
    return new Holder(
        request(),
        mode(),
        new ProcessIdentity(decode(fields[PROCESS])),
        decode(fields[WHY]),
        Payload.of(DECODER.decode(fields[PAYLOAD])),
        since,
        judge.liveness(this),
        stay.filter(StoredStay::isRevocation).map(revoked -> StoreTime.instant(revoked.from())),
        stay.map(present -> new Stay(present.reason(), StoreTime.duration(judge.left(present)))),
        judge.dueIn(this),
        OptionalLong.empty());
  }

  private static String letter(LockMode mode) {
    return switch (mode) {
      case EXCLUSIVE -> "x";
      case SHARED -> "s";
    };
  }

  private static String encode(byte[] bytes) {
    return bytes.length == 0 ? "" : ENCODER.encodeToString(bytes);
  }

  private static String decode(String text) {
    return new String(DECODER.decode(text), UTF_8);
  }
}
