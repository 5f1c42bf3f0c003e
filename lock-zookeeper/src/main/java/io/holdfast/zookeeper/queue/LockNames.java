package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.spi.BackendFailure;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Paths;
import java.util.List;
import org.apache.zookeeper.data.Stat;

/**
 * The names of all locks that have a queue. They are read bucket by bucket, and only where they fit
 * into an answer at any length: how long names are is not known before they are read, and at a
 * longer answer the client library breaks the connection, which may be the application's.
 */
record LockNames(Paths paths) {

  /** The bytes of an answer besides the names. */
  private static final int REST_BYTES = 128;

  /** Of a name in an answer: how long it is, and its characters. */
  private static final int NAME_BYTES_MAX = Integer.BYTES + Paths.NAME_LENGTH_MAX;

  List<LockName> in(Call call, List<String> buckets) {
    Pipeline sizing = call.pipeline();
    List<Answer<Stat>> sizes =
        buckets.stream().map(bucket -> sizing.stat(paths.bucket(bucket))).toList();
    sizing.awaitAnswers();
    for (int i = 0; i < buckets.size(); i++) {
      requireReadable(call, buckets.get(i), QueueListing.nodes(sizes.get(i)));
    }
    Pipeline pipeline = call.pipeline();
    List<Answer<List<String>>> all =
        buckets.stream().map(bucket -> pipeline.children(paths.bucket(bucket))).toList();
    pipeline.awaitAnswers();
    return all.stream()
        .flatMap(answer -> answer.value().orElse(List.of()).stream())
        .flatMap(node -> Paths.nameOf(node).stream())
        .toList();
  }

  private void requireReadable(Call call, String bucket, int nodes) {
    int bytes = call.answerBytesMax();
    if (nodes > (bytes - REST_BYTES) / NAME_BYTES_MAX) {
      throw new BackendFailure(
          call.effect(),
          "The node %s has %s others below it, whose names may not fit into an answer of %s bytes. Give this process a greater jute.maxbuffer."
              .formatted(paths.bucket(bucket), nodes, bytes),
          null);
    }
  }
}
