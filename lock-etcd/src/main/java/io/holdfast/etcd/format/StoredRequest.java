package io.holdfast.etcd.format;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * A request in a queue, as it is stored: a line {@code MODE IF_HELD SINCE BYTES_OF_WHY SERIAL}, a
 * line with the process, the reason, and then the payload. {@code IF_HELD} is for operators: it
 * marks requests that do not wait and will leave the queue at once. {@code SERIAL} is that of the
 * request; its session is in the key.
 *
 * @param key its key
 * @param revision the revision that created its key. It determines the place in the queue and the
 *     number of the grant
 * @param lease the lease of its session; one of its own if it stays; 0 if it has a lock-delay
 * @param since the time of the request by the clock of its client, because etcd has no clock to
 *     read
 */
public record StoredRequest(
    ByteSequence key,
    RequestId request,
    long revision,
    long lease,
    LockMode mode,
    Instant since,
    ProcessIdentity process,
    String why,
    Payload payload) {

  private static final byte LINE_END = '\n';
  private static final int SERIAL = 4;
  private static final String EXCLUSIVE = LockMode.EXCLUSIVE.name();
  private static final ByteSequence SHARED = Keys.bytes(LockMode.SHARED.name());

  /** Returns the value stored for a request. */
  public static ByteSequence encode(Request request, Instant since) {
    byte[] why = request.why().getBytes(StandardCharsets.UTF_8);
    // Not by a format, which would be parsed with each grab.
    byte[] head =
        (request.mode()
                + " "
                + request.ifHeld()
                + " "
                + since
                + " "
                + why.length
                + " "
                + request.id().serial()
                + "\n"
                + request.process()
                + "\n")
            .getBytes(StandardCharsets.UTF_8);
    byte[] payload = request.payload().bytes();
    ByteBuffer all = ByteBuffer.allocate(head.length + why.length + payload.length);
    return ByteSequence.from(all.put(head).put(why).put(payload).array());
  }

  /** Reads a stored value. */
  public static StoredRequest of(Keys keys, KeyValue entry) {
    byte[] value = entry.getValue().getBytes();
    int first = lineEnd(value, 0);
    int second = lineEnd(value, first + 1);
    String[] words = text(value, 0, first).split(" ", -1);
    int why = second + 1;
    int payload = why + Integer.parseInt(words[3]);
    return new StoredRequest(
        entry.getKey(),
        new RequestId(keys.seatAt(entry.getKey()).session(), Long.parseLong(words[SERIAL])),
        entry.getCreateRevision(),
        entry.getLease(),
        LockMode.valueOf(words[0]),
        Instant.parse(words[2]),
        new ProcessIdentity(text(value, first + 1, second)),
        text(value, why, payload),
        Payload.of(Arrays.copyOfRange(value, payload, value.length)));
  }

  /** Returns which of its session's requests an entry is. */
  public static long serial(KeyValue entry) {
    byte[] value = entry.getValue().getBytes();
    String[] words = text(value, 0, lineEnd(value, 0)).split(" ", -1);
    return Long.parseLong(words[SERIAL]);
  }

  /** Returns it as one that waits. */
  public Waiter waiter() {
    return new Waiter(request, mode, process, why);
  }

  /** Whether an entry, which may have asked for exclusive mode, shares the lock now. */
  public static boolean isShared(KeyValue entry) {
    return entry.getValue().startsWith(SHARED);
  }

  public boolean isShared() {
    return mode == LockMode.SHARED;
  }

  /** Returns the value stored for an exclusive request once it is downgraded. */
  public static ByteSequence downgraded(KeyValue exclusive) {
    byte[] value = exclusive.getValue().getBytes();
    int mode = EXCLUSIVE.length();
    return SHARED.concat(ByteSequence.from(Arrays.copyOfRange(value, mode, value.length)));
  }

  private static int lineEnd(byte[] value, int from) {
    int end = from;
    while (value[end] != LINE_END) {
      end++;
    }
    return end;
  }

  private static String text(byte[] value, int from, int to) {
    return new String(value, from, to - from, StandardCharsets.UTF_8);
  }
}
