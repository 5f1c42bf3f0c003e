package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;

import io.holdfast.LockName;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.support.Micros;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The settings and partitions of the namespace. Runs scripts in it. */
final class Namespace {

  private static final Logger LOG = LoggerFactory.getLogger(Namespace.class);

  /** Advice about the restart guard of a new server. */
  static final String WITHOUT_GUARD =
      "A new server looks like one that lost its data. If there was no data, as in a test, turn the guard off: restartGuard=off in the URI, or withoutRestartGuard() at the builder.";

  private final RedisClient redis;
  private final RedisSettings settings;
  private final NamespaceWish wish;

  /** Fixed when the client connects, because the partition of a lock must not change. */
  private final int partitions;

  /** Whether the log has been told of the restart guard, which each opening of a session finds. */
  private final AtomicBoolean guardTold = new AtomicBoolean();

  Namespace(RedisClient redis, RedisSettings settings, NamespaceWish wish, Deadline deadline) {
    this.redis = redis;
    this.settings = settings;
    this.wish = wish;
    this.partitions =
        settings(run(Script.SETTINGS, CallKind.VERB, 0, deadline))
            .map(NamespaceSettings::partitions)
            .orElse(wish.orDefaults().partitions());
  }

  String describe() {
    return redis.describe();
  }

  int partitions() {
    return partitions;
  }

  int partition(LockName name) {
    if (partitions == 1) {
      return 0;
    }
    CRC32 sum = new CRC32();
    sum.update(name.bytes());
    return (int) (sum.getValue() % partitions);
  }

  /** Returns the settings of a partition. Writes them if there are none. */
  NamespaceSettings settle(int partition, Deadline deadline) {
    NamespaceSettings preferred = wish.orDefaults();
    NamespaceSettings found =
        settings(
                run(
                    Script.SETTINGS,
                    CallKind.VERB,
                    partition,
                    deadline,
                    ascii(Script.PROTOCOL),
                    ascii(partitions),
                    ascii(Micros.exactly("maxTtl", preferred.maxTtl())),
                    ascii(Micros.exactly("maxClockStep", preferred.maxClockStep()))))
            .orElseThrow();
    if (found.partitions() != partitions) {
      throw new BackendUnusableException(
          "The locks at %s were in %d partitions when this client connected, and now they are in %d. Connect again."
              .formatted(describe(), partitions, found.partitions()));
    }
    return found;
  }

  private Optional<NamespaceSettings> settings(@Nullable Object answer) {
    if (answer == null) {
      return Optional.empty();
    }
    Reply reply = Reply.of(answer);
    NamespaceSettings found =
        new NamespaceSettings(
            (int) reply.number(0), (int) reply.number(1), reply.duration(2), reply.duration(3));
    found.requireReadable(describe(), Script.PROTOCOL);
    wish.requireMetBy(found, describe());
    boolean isGuarded = reply.number(4) > 0;
    if (guardTold.getAndSet(isGuarded) != isGuarded && isGuarded) {
      LOG.warn(
          "{}: clients with a restart guard are granted no lock for another {} s: the server was started or promoted recently, and earlier leases may still run. {}",
          describe(),
          reply.duration(4).toSeconds() + 1,
          WITHOUT_GUARD);
    }
    return Optional.of(found);
  }

  Reply ask(Script script, int partition, Deadline deadline, byte[]... arguments) {
    return Reply.of(run(script, CallKind.VERB, partition, deadline, arguments));
  }

  @Nullable Object run(
      Script script, CallKind kind, int partition, Deadline deadline, byte[]... arguments) {
    return run(script, kind, partition, deadline, Arrays.asList(arguments));
  }

  @Nullable Object run(
      Script script, CallKind kind, int partition, Deadline deadline, List<byte[]> arguments) {
    settings.beforeScript().run();
    return redis.run(script, kind, partition, arguments, deadline);
  }
}
