package io.holdfast.redis;

import static io.holdfast.redis.RedisLockBackend.ascii;

import io.holdfast.BackendUnusableException;
import io.holdfast.LockName;
import io.holdfast.redis.Redis.Lane;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Micros;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The namespace's settings and partitions, and the scripts as they are run in it. */
final class Namespace {

  private static final Logger LOG = LoggerFactory.getLogger(Namespace.class);

  /** What to do about the wait at a new server. */
  static final String WITHOUT_GUARD =
      "A new server looks like one that lost its data. If none was there, as in a test, do not wait: restartGuard=off in the URI, or withoutRestartGuard() at the builder.";

  private final Redis redis;
  private final RedisSettings settings;
  private final NamespaceWish wish;

  /** Settled at the start: the partition of a lock must not change under its clients. */
  private final int partitions;

  Namespace(Redis redis, RedisSettings settings, NamespaceWish wish, Deadline deadline) {
    this.redis = redis;
    this.settings = settings;
    this.wish = wish;
    this.partitions =
        settings(run(Script.SETTINGS, Lane.VERB, 0, deadline))
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

  /** Reads the settings that a partition has on record, or writes them if there are none. */
  NamespaceSettings settle(int partition, Deadline deadline) {
    NamespaceSettings preferred = wish.orDefaults();
    NamespaceSettings found =
        settings(
                run(
                    Script.SETTINGS,
                    Lane.VERB,
                    partition,
                    deadline,
                    ascii(preferred.protocol()),
                    ascii(partitions),
                    ascii(Micros.exactly("maxTtl", preferred.maxTtl())),
                    ascii(Micros.exactly("maxClockStep", preferred.maxClockStep()))))
            .orElseThrow();
    if (found.partitions() != partitions) {
      throw new BackendUnusableException(
          "The locks at %s were in %d partitions when this client connected, and are in %d now. Connect again."
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
    found.requireReadable(describe());
    wish.requireMetBy(found, describe());
    if (reply.number(4) > 0) {
      LOG.warn(
          "{}: no client that heeds the restart guard is granted a lock for another {} s: it was started or promoted not long ago, and leases of before may run. {}",
          describe(),
          reply.duration(4).toSeconds() + 1,
          WITHOUT_GUARD);
    }
    return Optional.of(found);
  }

  Reply ask(Script script, int partition, Deadline deadline, byte[]... arguments) {
    return Reply.of(run(script, Lane.VERB, partition, deadline, arguments));
  }

  @Nullable Object run(
      Script script, Lane lane, int partition, Deadline deadline, byte[]... arguments) {
    return run(script, lane, partition, deadline, List.of(arguments));
  }

  @Nullable Object run(
      Script script, Lane lane, int partition, Deadline deadline, List<byte[]> arguments) {
    settings.beforeScript().run();
    return redis.run(script, lane, partition, arguments, deadline);
  }
}
