package io.holdfast.redis.connection;

import static io.holdfast.redis.script.Arguments.ascii;
import static io.holdfast.redis.script.Arguments.flag;
import static io.holdfast.redis.script.Arguments.utf8;

import io.holdfast.redis.script.KeyNames;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Runs scripts through a client of the application, with its timeouts and its pool. New connections
 * of that client are not visible here, so each script finds out the incarnation of the server
 * itself.
 */
public final class ApplicationClient implements RedisClient {

  private static final Logger LOG = LoggerFactory.getLogger(ApplicationClient.class);

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private static final byte[] ONE_KEY = ascii(1);

  /** For ARGV[1]: the process was not asked about its disk. */
  private static final byte[] UNKNOWN = {};

  /**
   * The answer of a script that finds nothing to do, as after an earlier copy of it. Other scripts
   * answer a repetition as they did at first.
   */
  private static final Map<Script, String> NOTHING_LEFT =
      Map.of(
          Script.RELEASE, "NOTHING",
          Script.RELEASE_AFTER, "NOTHING",
          Script.REVOKE, "changed");

  private final UnifiedJedis jedis;
  private final KeyNames names;
  private final Map<Integer, byte[]> namespaces = new ConcurrentHashMap<>();
  private final AtomicInteger leastCopies = new AtomicInteger(Integer.MAX_VALUE);
  private final AtomicBoolean toldMixedUp = new AtomicBoolean();
  private volatile boolean closed;

  public ApplicationClient(UnifiedJedis jedis, KeyNames names) {
    this.jedis = jedis;
    this.names = names;
  }

  @Override
  public String describe() {
    return "redis (the application's client, prefix %s)".formatted(names.prefix());
  }

  /** Checks the server once, as it is done for each of our own connections. */
  public void attach(RestartGuard guard, Deadline deadline) {
    ServerFacts facts;
    try {
      facts = ServerFacts.of(evaluate(Script.ATTACH, 0, List.of(), deadline));
    } catch (JedisException e) {
      throw RedisErrors.failure(describe(), e, Effect.NONE); // It takes no lock.
    }
    facts.requireUsable(describe(), false, guard);
    facts.requireNoEviction(describe());
    facts.logRestartGuard(LOG, describe());
  }

  /**
   * Runs a script. The client may repeat by itself what was not answered, and then only tells how
   * the last attempt went. So a refusal does not mean that nothing was done, and neither does an
   * answer by which there was nothing to do.
   */
  @Override
  public @Nullable Object run(
      Script script, CallKind kind, int partition, List<byte[]> arguments, Deadline deadline) {
    try {
      return evaluate(script, partition, arguments, deadline);
    } catch (JedisException e) {
      throw BackendFailure.halfway(RedisErrors.failure(describe(), e, Effect.UNKNOWN));
    }
  }

  private @Nullable Object evaluate(
      Script script, int partition, List<byte[]> arguments, Deadline deadline) {
    if (closed || deadline.hasPassed()) {
      throw new BackendFailure(
          Effect.NONE,
          closed
              ? "The backend for %s is closed.".formatted(describe())
              : "The deadline of a call to %s passed before it began.".formatted(describe()),
          null);
    }
    CountedCommand byDigest = new CountedCommand(Command.EVALSHA);
    CountedCommand byText = new CountedCommand(Command.EVAL);
    MarkedScript marked = MarkedScript.of(script);
    byte[] mark = MarkedScript.newMark();
    @Nullable Object reply;
    boolean repeated = false;
    try {
      reply = send(byDigest, marked.digest(), partition, arguments, mark);
    } catch (JedisNoScriptException unknown) {
      repeated = isRepeated(byDigest.copies());
      mark = MarkedScript.newMark();
      reply = send(byText, marked.text(), partition, arguments, mark);
    }
    @Nullable Object answer = MarkedScript.answer(reply, mark).orElseThrow(this::mixedUp).value();
    repeated |= isRepeated(byText.copies() > 0 ? byText.copies() : byDigest.copies());
    if (repeated && findsNothingLeft(script, answer)) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "%s was asked more than once, as the client repeats what was not answered. The last answer does not tell what was done at first."
              .formatted(describe()),
          null);
    }
    return answer;
  }

  /**
   * Whether the client has asked for the command's bytes more than once, and more often than for
   * some other call.
   */
  private boolean isRepeated(int copies) {
    return copies > Math.max(1, leastCopies.accumulateAndGet(copies, Math::min));
  }

  private BackendFailure mixedUp() {
    if (!toldMixedUp.getAndSet(true)) {
      LOG.error(
          "{}: a connection of its pool gives answers to other requests than it is asked, to its next borrower. Close this client, and make another",
          describe());
    }
    return new BackendFailure(
        Effect.UNKNOWN,
        "%s gave the answer to another request. Close this client, and make another: the next borrower of the connection gets wrong answers."
            .formatted(describe()),
        null);
  }

  private static boolean findsNothingLeft(Script script, @Nullable Object answer) {
    @Nullable String nothing = NOTHING_LEFT.get(script);
    @Nullable Object first = answer instanceof List<?> all && !all.isEmpty() ? all.get(0) : answer;
    return nothing != null && first != null && nothing.equals(Reply.text(first));
  }

  private @Nullable Object send(
      CountedCommand command, String script, int partition, List<byte[]> arguments, byte[] mark) {
    byte[] namespace = namespaces.computeIfAbsent(partition, names::namespace);
    List<byte[]> all = new ArrayList<>(7 + arguments.size());
    all.addAll(List.of(utf8(script), ONE_KEY, namespace, UNKNOWN, flag(false), flag(false)));
    all.addAll(arguments);
    all.add(mark);
    return jedis.sendCommand(namespace, command, all.toArray(new byte[0][]));
  }

  /** The kind of server that it talks to is not visible here. */
  @Override
  public boolean isSpread() {
    return true;
  }

  /** The connections belong to the application. */
  @Override
  public void leave(int partition) {}

  /**
   * Of a pool we see the connection, and can break it. Other clients do not show theirs: a
   * subscription that is silent does not end before the system gives its connection up.
   */
  @Override
  public Subscription subscription(BinaryJedisPubSub reader, byte[] channel) {
    return jedis instanceof JedisPooled pooled
        ? new ConnectionSubscription(describe(), pooled.getPool()::getResource, reader, channel)
        : new HiddenSubscription(describe(), jedis, this::answer, reader, channel);
  }

  /** Shows whether a connection that was idle for long can still be used. */
  private void answer() {
    @Nullable Object unused =
        run(Script.SETTINGS, CallKind.VERB, 0, List.of(), Deadline.in(ANSWER_WITHIN));
  }

  /** Does not close the client, which belongs to the application. */
  @Override
  public void close() {
    closed = true;
  }
}
