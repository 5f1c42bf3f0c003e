package io.holdfast.redis.queue;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each step on a queue costs the same however many wait: commands inside the scripts, bytes of the
 * answers, bytes for replicas.
 */
@Tag("server")
class QueueCostTest {

  private static final Logger LOG = LoggerFactory.getLogger(QueueCostTest.class);

  private static final String NAME = "a";
  private static final int FEW = 2;
  private static final int MANY = 1_000;
  private static final int TIMES = 40;
  private static final double MAY_GROW_BY = 1.3;

  /** How many commands docs/backends/redis.md states. */
  private static final Map<String, Integer> DOCUMENTED =
      Map.of("join", 14, "withdraw", 13, "look", 13, "refused", 12, "hand-over and join", 30);

  private static final Duration LONG_STAY = Duration.ofMinutes(5);

  /** What the servers say to each other, and what this test asks. */
  private static final Pattern COUNTED =
      Pattern.compile("cmdstat_(?!replconf|ping|evalsha)[a-z|]+:calls=([0-9]+)");

  private RedisServer server;
  private RedisServer replica;
  private RedisNamespace namespace;
  private LockBackend backend;

  @BeforeEach
  void startServers() {
    server = RedisServer.launch("--appendfsync", "everysec");
    replica = RedisServer.replicaOf(server, "--appendfsync", "everysec");
    namespace = RedisNamespace.on(server);
    backend = namespace.backend(BackendOptions.DEFAULTS.with(RestartGuard.OFF));
  }

  @AfterEach
  void stopServers() {
    namespace.close();
    replica.close();
    server.close();
  }

  /** What the server has counted. */
  private record Cost(double commands, double answered, double replicated) {

    Cost minus(Cost other) {
      return new Cost(
          commands - other.commands, answered - other.answered, replicated - other.replicated);
    }

    Cost each() {
      return new Cost(commands / TIMES, answered / TIMES, replicated / TIMES);
    }
  }

  /** Of one answer: each question starts a program. */
  private Cost counted() {
    String info = server.command("INFO", "all");
    long commands =
        COUNTED.matcher(info).results().mapToLong(found -> Long.parseLong(found.group(1))).sum();
    double sent = number(info, "total_net_output_bytes");
    return new Cost(
        commands,
        sent - number(info, "total_net_repl_output_bytes"),
        number(info, "master_repl_offset"));
  }

  private static double number(String info, String field) {
    return Pattern.compile(field + ":([0-9]+)")
        .matcher(info)
        .results()
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .sum();
  }

  /** Less what counting itself costs. */
  private Cost cost(Runnable step) {
    Cost start = counted();
    Cost before = counted();
    for (int i = 0; i < TIMES; i++) {
      step.run();
    }
    Cost after = counted();
    return after.minus(before).minus(before.minus(start)).each();
  }

  /** A lock that is held and awaited. */
  private final class Queue {
    private final LockMode mode;
    private final Deque<Request> all = new ArrayDeque<>();
    private final SessionId session = session(backend);

    /** Whether the next request is one of a session of its own, which can die. */
    private boolean isMortal = true;

    /** Those who are the head first can die, so that they are overtaken first. */
    Queue(LockMode mode, int waiters) {
      this.mode = mode;
      Request first = made(mode);
      take(backend, first);
      all.add(first);
      for (int i = 0; i < waiters; i++) {
        isMortal = i < TIMES;
        join();
      }
      isMortal = true;
    }

    void isImmortalFromNowOn() {
      isMortal = false;
    }

    private Request made(LockMode asked) {
      SessionId its = isMortal ? session(backend) : session;
      return request(its, NAME, IfHeld.QUEUE).with(asked);
    }

    /** In shared mode every other one is exclusive: a run of all of them costs more. */
    void join() {
      boolean isExclusive = mode == LockMode.EXCLUSIVE || all.getLast().mode() == LockMode.SHARED;
      join(made(isExclusive ? LockMode.EXCLUSIVE : LockMode.SHARED));
    }

    private void join(Request request) {
      assertThat(backend.grab(request, soon())).isEqualTo(new Attempt.Queued());
      all.add(request);
    }

    void withdraw() {
      Request last = all.removeLast();
      assertThat(backend.release(last.name(), last.id(), soon())).isEqualTo(Released.WAS_WAITING);
    }

    void handOver() {
      Request holder = all.removeFirst();
      assertThat(backend.release(holder.name(), holder.id(), soon())).isEqualTo(Released.HANDED_ON);
    }

    void look() {
      Request last = all.getLast();
      assertThat(backend.look(last.id().session(), List.of(last.key()), soon()))
          .allMatch(Standing.Waiting.class::isInstance);
    }

    private Observed head() {
      Request head = all.getFirst();
      Standing standing = backend.look(head.id().session(), List.of(head.key()), soon()).get(0);
      return new Observed(head.name(), ((Standing.Holding) standing).number(), head.id());
    }

    /** The others follow; an overtake finds a holder that died. */
    void overtake() {
      Observed head = head();
      assertThat(backend.end(head.request().session(), EndIf.CLOSED, soon())).isEqualTo(Ended.OVER);
      assertThat(backend.overtake(all.getLast(), head, soon())).isEqualTo(new Attempt.Queued());
      all.removeFirst();
      join();
    }

    void downgrade() {
      assertThat(backend.downgrade(all.getFirst().key(), soon())).isPresent();
      handOver();
      join();
    }

    void revokeNow() {
      Observed head = head();
      assertThat(backend.revoke(head, RevokeWhen.NOW, soon())).isEqualTo(new Revocation.Freed());
      backend.acknowledge(head.request(), soon());
      all.removeFirst();
      join();
    }

    /** Told first: only the holder's release lets the next one in. */
    void revokeSafely() {
      Observed head = head();
      assertThat(backend.revoke(head, RevokeWhen.SAFELY, soon()))
          .isInstanceOf(Revocation.Marked.class);
      handOver();
      backend.acknowledge(head.request(), soon());
      join();
    }

    /** What stays is removed by a revocation. */
    void stay() {
      Observed head = head();
      assertThat(backend.releaseAfter(all.getFirst().key(), LONG_STAY, soon()))
          .isEqualTo(Released.STAYS);
      assertThat(backend.revoke(head, RevokeWhen.SAFELY, soon())).isEqualTo(new Revocation.Freed());
      all.removeFirst();
      join();
    }

    void beRefused() {
      assertThat(backend.grab(made(mode).with(IfHeld.REFUSE), soon()))
          .isInstanceOf(Attempt.Refused.class);
    }
  }

  private Map<String, Cost> costs(LockMode mode, int waiters) {
    Map<String, Cost> costs = new LinkedHashMap<>();
    Queue queue = new Queue(mode, waiters);
    costs.put("overtake and join", cost(queue::overtake));
    queue.isImmortalFromNowOn();
    costs.put("join", cost(queue::join));
    costs.put("withdraw", cost(queue::withdraw));
    costs.put("look", cost(queue::look));
    costs.put("refused", cost(queue::beRefused));
    costs.put(
        "hand-over and join",
        cost(
            () -> {
              queue.handOver();
              queue.join();
            }));
    costs.put("revocation at once and join", cost(queue::revokeNow));
    costs.put("revocation, hand-over and join", cost(queue::revokeSafely));
    costs.put("release that stays, its end and join", cost(queue::stay));
    if (mode == LockMode.EXCLUSIVE) {
      costs.put("downgrade, hand-over and join", cost(queue::downgrade));
    }
    server.command("FLUSHALL");
    LOG.info("{} waiters, {}: {}", waiters, mode, costs);
    return costs;
  }

  @ParameterizedTest
  @EnumSource(LockMode.class)
  void eachStepCostsTheSameHoweverManyWait(LockMode mode) {
    costs(mode, FEW); // Sends the scripts.
    Map<String, Cost> few = costs(mode, FEW);
    Map<String, Cost> many = costs(mode, MANY);

    List<String> grown = new ArrayList<>();
    few.forEach(
        (step, cost) -> {
          Cost other = Objects.requireNonNull(many.get(step));
          if (grows(cost.commands(), other.commands())
              || grows(cost.answered(), other.answered())
              || grows(cost.replicated(), other.replicated())) {
            grown.add("%s: %s for %d, %s for %d".formatted(step, cost, FEW, other, MANY));
          }
        });
    assertThat(grown).isEmpty();
    if (mode == LockMode.EXCLUSIVE) {
      DOCUMENTED.forEach(
          (step, commands) ->
              assertThat(Math.round(Objects.requireNonNull(many.get(step)).commands()))
                  .as("commands of: %s", step)
                  .isLessThanOrEqualTo(commands));
    }
  }

  private static boolean grows(double few, double many) {
    return many > Math.max(1, few) * MAY_GROW_BY;
  }
}
