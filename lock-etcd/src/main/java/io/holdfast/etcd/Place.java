package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.spi.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * A request in a queue, as it is stored: a line {@code MODE IF_HELD SINCE BYTES_OF_WHY}, a line
 * with the process, the reason, and then the payload. {@code IF_HELD} is for people: it tells who
 * only looks, and is about to leave.
 *
 * @param revision the revision that created its key: its place in the queue, and what its number is
 *     made of
 * @param since when it was made, by its client's clock: etcd has none to ask
 */
record Place(
    RequestId request,
    long revision,
    LockMode mode,
    Instant since,
    ProcessIdentity process,
    String why,
    Payload payload) {

  private static final byte LINE_END = '\n';

  /** Returns what is stored for a request. */
  static ByteSequence encode(Request request, Instant since) {
    byte[] why = request.why().getBytes(StandardCharsets.UTF_8);
    byte[] head =
        "%s %s %s %d\n%s\n"
            .formatted(request.mode(), request.ifHeld(), since, why.length, request.process())
            .getBytes(StandardCharsets.UTF_8);
    byte[] payload = request.payload().bytes();
    ByteBuffer all = ByteBuffer.allocate(head.length + why.length + payload.length);
    return ByteSequence.from(all.put(head).put(why).put(payload).array());
  }

  /** Reads what is stored. */
  static Place of(Keys keys, KeyValue entry) {
    byte[] value = entry.getValue().getBytes();
    int first = lineEnd(value, 0);
    int second = lineEnd(value, first + 1);
    String[] words = text(value, 0, first).split(" ", -1);
    int why = second + 1;
    int payload = why + Integer.parseInt(words[3]);
    return new Place(
        keys.requestAt(entry.getKey()).request(),
        entry.getCreateRevision(),
        LockMode.valueOf(words[0]),
        Instant.parse(words[2]),
        new ProcessIdentity(text(value, first + 1, second)),
        text(value, why, payload),
        Payload.of(Arrays.copyOfRange(value, payload, value.length)));
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
