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

/**
 * The settings and partitions of the namespace. Runs scripts in it.
 *
 * <p>How many partitions there are is agreed in the first one, before anything is written to
 * another. The number that a client found or preferred when it connected is only a proposal until
 * then.
 */
final class Namespace {

  private static final Logger LOG = LoggerFactory.getLogger(Namespace.class);

  /** Advice about the restart guard of a new server. */
  static final String WITHOUT_GUARD =
      "A new server looks like one that lost its data. If there was no data, as in a test, turn the guard off: restartGuard=off in the URI, or withoutRestartGuard() at the builder.";

  /** The partition in which the number of partitions is agreed. */
  static final int FIRST = 0;

  /**
   * In how many partitions settings are looked for if the first one has none. A namespace of more
   * has used one of these, too, as its locks are spread evenly.
   */
  static final int SEARCHED = 16;

  private final RedisClient redis;
  private final RedisSettings settings;
  private final NamespaceWish wish;

  /** Fixed when the client connects, because the partition of a lock must not change. */
  private final NamespaceSettings proposed;

  /** Whether that is on record. Before, others may agree on something else. */
  private volatile boolean isAgreed;

  /** Whether the log has been told of the restart guard, which each opening of a session finds. */
  private final AtomicBoolean guardTold = new AtomicBoolean();

  Namespace(RedisClient redis, RedisSettings settings, NamespaceWish wish, Deadline deadline) {
    this.redis = redis;
    this.settings = settings;
    this.wish = wish;
    Optional<NamespaceSettings> found = read(FIRST, deadline).or(() -> search(deadline));
    this.isAgreed = found.isPresent();
    this.proposed = found.orElseGet(wish::orDefaults);
  }

  /** The first partition's server may have lost what those of other partitions still have. */
  private Optional<NamespaceSettings> search(Deadline deadline) {
    Optional<NamespaceSettings> found = Optional.empty();
    if (redis.isSpread()) {
      for (int partition = FIRST + 1; partition < SEARCHED && found.isEmpty(); partition++) {
        found = read(partition, deadline);
        redis.leave(partition);
      }
    }
    return found;
  }

  private Optional<NamespaceSettings> read(int partition, Deadline deadline) {
    return settings(run(Script.SETTINGS, CallKind.VERB, partition, deadline));
  }

  String describe() {
    return redis.describe();
  }

  int partitions() {
    return proposed.partitions();
  }

  int partition(LockName name) {
    if (partitions() == 1) {
      return FIRST;
    }
    CRC32 sum = new CRC32();
    sum.update(name.bytes());
    return (int) (sum.getValue() % partitions());
  }

  /**
   * Returns the settings of a partition. Writes them where there are none: to the first partition
   * before any other, so clients that disagree do not both have sessions.
   *
   * @throws BackendUnusableException if the namespace has another number of partitions than when
   *     this client connected
   */
  NamespaceSettings settle(int partition, Deadline deadline) {
    NamespaceSettings agreed = settle(FIRST, proposed, deadline);
    requireProposed(agreed);
    if (partition == FIRST) {
      return agreed;
    }
    NamespaceSettings found = settle(partition, agreed, deadline);
    if (found.partitions() != agreed.partitions()) {
      throw new BackendUnusableException(
          "The locks at %s are in %s partitions, but number %s is from a time when they were in %s. Stop all clients, and delete the keys of that partition."
              .formatted(describe(), agreed.partitions(), partition, found.partitions()));
    }
    return found;
  }

  /**
   * Makes sure that this client looks where others have locks, though it has no session: they may
   * have come first, after it had connected.
   *
   * @throws BackendUnusableException if it would look elsewhere
   */
  void requireAgreed(Deadline deadline) {
    if (!isAgreed) {
      read(FIRST, deadline).ifPresent(this::requireProposed);
    }
  }

  private void requireProposed(NamespaceSettings agreed) {
    if (agreed.partitions() != partitions()) {
      throw new BackendUnusableException(
          "The locks at %s were in %s partitions when this client connected, and now they are in %s. Connect again."
              .formatted(describe(), partitions(), agreed.partitions()));
    }
    isAgreed = true;
  }

  private NamespaceSettings settle(int partition, NamespaceSettings preferred, Deadline deadline) {
    return settings(
            run(
                Script.SETTINGS,
                CallKind.VERB,
                partition,
                deadline,
                ascii(Script.PROTOCOL),
                ascii(preferred.partitions()),
                ascii(Micros.exactly("maxTtl", preferred.maxTtl())),
                ascii(Micros.exactly("maxClockStep", preferred.maxClockStep()))))
        .orElseThrow();
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
