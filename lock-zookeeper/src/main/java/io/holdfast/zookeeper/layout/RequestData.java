package io.holdfast.zookeeper.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.record.Stay;
import io.holdfast.spi.Request;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * The data of a request's node: a line of fields {@code NAME=VALUE}, a line with the process, a
 * line with the length of the reason in bytes, the reason, and then the payload. The fields are
 * {@code mode}, {@code x} or {@code s}, and where there is one, {@code delay}, {@code stay}, {@code
 * from} and {@code made}.
 *
 * @param mode the mode in which the request holds the lock or will hold it
 * @param lockDelay for how long it keeps the lock after its session has lapsed; zero for not at
 *     all, or when that time was used up
 * @param stay the time for which it keeps the lock without a session, or after which others may
 *     remove it
 * @param made the creation of its first node, if this one has replaced that
 */
public record RequestData(
    LockMode mode,
    Duration lockDelay,
    Optional<StoredStay> stay,
    Optional<Creation> made,
    ProcessIdentity process,
    String why,
    Payload payload) {

  private static final String EXCLUSIVE = "x";
  private static final byte LINE_END = '\n';

  /**
   * The creation of a node.
   *
   * @param zxid the transaction
   * @param millis when that was, by the leader's clock
   */
  public record Creation(long zxid, long millis) {
    private static final char AT = '@';

    static Creation of(Stat stat) {
      return new Creation(stat.getCzxid(), stat.getCtime());
    }

    private static Creation parse(String text) {
      int at = text.indexOf(AT);
      return new Creation(
          Long.parseLong(text.substring(0, at)), Long.parseLong(text.substring(at + 1)));
    }

    private String encode() {
      return "" + zxid + AT + millis;
    }
  }

  /** Returns the data stored for a new request. */
  public static RequestData of(Request request) {
    return new RequestData(
        request.mode(),
        StoredStay.wholeMillis(request.lockDelay()),
        Optional.empty(),
        Optional.empty(),
        request.process(),
        request.why(),
        request.payload());
  }

  /** Returns the creation of the request's first node. */
  public Creation creation(Stat stat) {
    return made.orElseGet(() -> Creation.of(stat));
  }

  /** Returns whether the lock was given back and stays taken: no session belongs to it. */
  public boolean isTombstone() {
    return stay.filter(present -> present.reason() == Stay.Reason.AT_LEAST).isPresent();
  }

  /** Returns the same in shared mode. */
  public RequestData shared() {
    return new RequestData(LockMode.SHARED, lockDelay, stay, made, process, why, payload);
  }

  /** Returns the same with another stay. */
  public RequestData with(StoredStay other) {
    return new RequestData(mode, lockDelay, Optional.of(other), made, process, why, payload);
  }

  /** Returns the same with its stay from the beginning. */
  public RequestData stayingAnew() {
    return stay.map(old -> with(StoredStay.beginning(old.reason(), old.length()))).orElse(this);
  }

  /** Returns the same when its lock-delay begins, which uses that up. */
  public RequestData inDelay() {
    return new RequestData(
        mode,
        Duration.ZERO,
        Optional.of(StoredStay.beginning(Stay.Reason.LOCK_DELAY, lockDelay)),
        made,
        process,
        why,
        payload);
  }

  /** Returns the same without a lock-delay. */
  public RequestData withoutDelay() {
    return new RequestData(mode, Duration.ZERO, stay, made, process, why, payload);
  }

  /** Returns the same for a node that was written then: another write does not begin its stay. */
  public RequestData runningOn(Stat written) {
    return new RequestData(
        mode,
        lockDelay,
        stay.map(running -> running.runningOn(written)),
        made,
        process,
        why,
        payload);
  }

  /** Returns what takes the place of this when the lock was given back and stays taken. */
  public RequestData tombstone(Stat stat, Duration length) {
    return new RequestData(
        mode,
        Duration.ZERO,
        Optional.of(StoredStay.beginning(Stay.Reason.AT_LEAST, length)),
        Optional.of(creation(stat)),
        process,
        why,
        payload);
  }

  public byte[] encode() {
    StringBuilder fields = new StringBuilder("mode=").append(RequestNode.letter(mode));
    if (!lockDelay.isZero()) {
      fields.append(" delay=").append(lockDelay.toMillis());
    }
    stay.ifPresent(
        present -> {
          fields.append(" stay=").append(present.encode());
          present.began().ifPresent(began -> fields.append(" from=").append(began.encode()));
        });
    made.ifPresent(creation -> fields.append(" made=").append(creation.encode()));
    byte[] reason = why.getBytes(UTF_8);
    byte[] head = (fields + "\n" + process + "\n" + reason.length + "\n").getBytes(UTF_8);
    byte[] published = payload.bytes();
    ByteBuffer all = ByteBuffer.allocate(head.length + reason.length + published.length);
    return all.put(head).put(reason).put(published).array();
  }

  public static RequestData parse(byte[] data) {
    int first = lineEnd(data, 0);
    int second = lineEnd(data, first + 1);
    int third = lineEnd(data, second + 1);
    int reason = third + 1;
    int published = reason + Integer.parseInt(text(data, second + 1, third));
    Map<String, String> fields = fields(text(data, 0, first));
    return new RequestData(
        EXCLUSIVE.equals(fields.get("mode")) ? LockMode.EXCLUSIVE : LockMode.SHARED,
        Duration.ofMillis(Long.parseLong(fields.getOrDefault("delay", "0"))),
        Optional.ofNullable(fields.get("stay"))
            .map(stay -> StoredStay.parse(stay, Optional.ofNullable(fields.get("from")))),
        Optional.ofNullable(fields.get("made")).map(Creation::parse),
        new ProcessIdentity(text(data, first + 1, second)),
        text(data, reason, published),
        Payload.of(Arrays.copyOfRange(data, published, data.length)));
  }

  private static Map<String, String> fields(String line) {
    Map<String, String> fields = new HashMap<>();
    for (String field : line.split(" ", -1)) {
      int equals = field.indexOf('=');
      fields.put(field.substring(0, equals), field.substring(equals + 1));
    }
    return fields;
  }

  private static int lineEnd(byte[] data, int from) {
    int end = from;
    while (data[end] != LINE_END) {
      end++;
    }
    return end;
  }

  private static String text(byte[] data, int from, int to) {
    return new String(data, from, to - from, UTF_8);
  }
}
