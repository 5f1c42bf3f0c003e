package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The verbs that read: look, inspect and list. */
final class LockReader {

  /** How many requests one script is asked about, or tells: it holds up the whole server. */
  private static final int BATCH = 200;

  /** Greater than every byte of UTF-8: a prefix followed by it sorts after all names with it. */
  private static final byte ABOVE = (byte) 0xff;

  private static final Comparator<LockRecord> BY_NAME =
      Comparator.comparing((LockRecord found) -> found.name().bytes(), Arrays::compareUnsigned);

  private final Namespace namespace;

  LockReader(Namespace namespace) {
    this.namespace = namespace;
  }

  List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    @Nullable Standing[] answers = new @Nullable Standing[requests.size()];
    for (int partition = 0; partition < namespace.partitions(); partition++) {
      int here = partition;
      int[] indices =
          IntStream.range(0, requests.size())
              .filter(i -> namespace.partition(requests.get(i).name()) == here)
              .toArray();
      for (int from = 0; from < indices.length; from += BATCH) {
        int[] batch = Arrays.copyOfRange(indices, from, Math.min(from + BATCH, indices.length));
        lookBatch(partition, session, requests, batch, answers, deadline);
      }
    }
    return Arrays.stream(answers).map(Objects::requireNonNull).toList();
  }

  private void lookBatch(
      int partition,
      SessionId session,
      List<RequestKey> requests,
      int[] batch,
      @Nullable Standing[] answers,
      Deadline deadline) {
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(ascii(session));
    for (int index : batch) {
      arguments.add(requests.get(index).name().bytes());
      arguments.add(ascii(requests.get(index).request()));
    }
    Reply reply =
        Reply.of(namespace.run(Script.LOOK, CallKind.VERB, partition, deadline, arguments));
    for (int i = 0; i < batch.length; i++) {
      answers[batch[i]] = standing(requests.get(batch[i]).name(), Reply.of(reply.parts().get(i)));
    }
  }

  private static Standing standing(LockName name, Reply reply) {
    return switch (reply.text(0)) {
      case "holding" ->
          new Standing.Holding(
              reply.number(1),
              reply.instant(2),
              Contention.of((int) reply.number(3)),
              EntryText.mode(reply.text(4)));
      case "absent" -> new Standing.Absent();
      default ->
          new Standing.Waiting(
              (int) reply.number(1), obstacles(name, reply), reply.optionalDuration(4));
    };
  }

  private static List<Obstacle> obstacles(LockName name, Reply reply) {
    Observed any = new Observed(name, reply.number(2), RequestId.parse(reply.text(3)));
    List<Obstacle> obstacles = new ArrayList<>();
    for (int i = 5; i < reply.size(); i += 3) {
      RequestId request = RequestId.parse(reply.text(i));
      boolean holds = reply.text(i + 2).equals("1");
      Observed head = holds ? new Observed(name, any.number(), request) : any;
      obstacles.add(new Obstacle(head, request, Liveness.valueOf(reply.text(i + 1))));
    }
    return obstacles;
  }

  Optional<LockRecord> inspect(LockName name, int waiters, Deadline deadline) {
    namespace.requireAgreed(deadline);
    @Nullable Object answer =
        namespace.run(
            Script.INSPECT,
            CallKind.VERB,
            namespace.partition(name),
            deadline,
            name.bytes(),
            ascii(waiters));
    return answer == null
        ? Optional.empty()
        : Optional.of(new RecordReply(Reply.of(answer)).record());
  }

  Optional<List<Waiter>> waitersBehind(
      LockName name, RequestId after, int limit, Deadline deadline) {
    namespace.requireAgreed(deadline);
    @Nullable Object answer =
        namespace.run(
            Script.WAITERS,
            CallKind.VERB,
            namespace.partition(name),
            deadline,
            name.bytes(),
            ascii(after),
            ascii(limit));
    return answer == null
        ? Optional.empty()
        : Optional.of(RecordReply.waiters(name, Reply.of(answer)));
  }

  List<LockRecord> list(String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    namespace.requireAgreed(deadline);
    byte[] begin = LockName.utf8("The prefix", prefix);
    byte[] end = Arrays.copyOf(begin, begin.length + 1);
    end[begin.length] = ABOVE;
    byte[] from =
        after
            .map(LockName::bytes)
            .filter(name -> Arrays.compareUnsigned(name, begin) >= 0)
            .map(name -> bound('(', name))
            .orElseGet(() -> bound('[', begin));
    List<LockRecord> found = new ArrayList<>();
    for (int partition = 0; partition < namespace.partitions(); partition++) {
      found.addAll(list(partition, from, bound('(', end), limit, deadline));
    }
    return found.stream().sorted(BY_NAME).limit(limit).toList();
  }

  private List<LockRecord> list(
      int partition, byte[] first, byte[] to, int limit, Deadline deadline) {
    List<LockRecord> found = new ArrayList<>();
    byte[] from = first;
    while (from.length > 0 && found.size() < limit) {
      Reply reply =
          namespace.ask(
              Script.LIST,
              partition,
              deadline,
              from,
              to,
              ascii(limit - found.size()),
              ascii(BATCH));
      from = reply.bytes(0);
      reply.from(1).parts().forEach(each -> found.add(new RecordReply(Reply.of(each)).record()));
    }
    return found;
  }

  /**
   * Returns a name as the bound of a range of names, as ZRANGEBYLEX takes it.
   *
   * @param kind {@code [} if the range includes the name, {@code (} if not
   */
  static byte[] bound(char kind, byte[] name) {
    return ByteBuffer.allocate(name.length + 1).put((byte) kind).put(name).array();
  }
}
