package io.holdfast.redis.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.tck.adapter.ServerRestartRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A holder and those who want its lock sit through the end of their server. */
@Adapter("redis")
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
public class RedisRestartTest implements ServerRestartRules {

  /** The longest lease where grants may be lost, and so the length of the restart guard there. */
  private static final Duration MAX_TTL = Duration.ofSeconds(4);

  private static final Duration SHORT_TTL = Duration.ofMillis(800);

  private RedisServer server;

  @BeforeEach
  public void startServer() {
    server = RedisServer.launch();
  }

  @AfterEach
  public void stopServer() {
    server.close();
  }

  @Override
  public RedisServer server() {
    return server;
  }

  /**
   * For the rules, in which nothing is lost: their leases have to outlast a restart on a slow
   * machine, and the restart guard of a fresh server lasts as long as the longest lease.
   */
  @Override
  public String uri() {
    return server.uri() + "?restartGuard=off";
  }

  /** Returns a client that heeds the restart guard. */
  private LockClient guarded(Duration ttl) {
    return Holdfast.builder().maxTtl(MAX_TTL).defaultTtl(ttl).connect(server.uri());
  }

  /** A new server may be the rest of a loss. */
  @Test
  public void aFreshServerSaysWhyItsFirstClientsWait() {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    try (LockClient first =
        Holdfast.builder()
            .maxTtl(MAX_TTL)
            .defaultTtl(SHORT_TTL)
            .listener(events::add)
            .connect(server.uri())) {
      first.lock("a").acquire(TIMEOUT).close();
    }
    assertThat(events)
        .filteredOn(LockEvent.GrantsDelayed.class::isInstance)
        .first()
        .asString()
        .contains(
            server.uri(),
            "may have lost its last grants",
            "earlier leases",
            "restartGuard=off",
            "withoutRestartGuard()");
  }

  /**
   * The holder's TTL is longer than the newcomers'. One of them is connected all the time, the
   * other connects when another client has already begun the guard.
   */
  private void nobodyIsLetInBesideAHolderThatBelievesAfter(Runnable loss) {
    try (LockClient one = guarded(MAX_TTL);
        LockClient other = guarded(SHORT_TTL)) {
      // given
      Grant held = one.lock("a").acquire(TIMEOUT);
      assertThat(other.lock("a").tryAcquire()).isEmpty();

      // when
      loss.run();
      CompletableFuture<Grant> newcomer =
          CompletableFuture.supplyAsync(
              () -> {
                Grant grant = other.lock("a").acquire(TIMEOUT);
                assertThat(held.isHeld()).isFalse();
                return grant;
              });
      CompletableFuture<Grant> later =
          CompletableFuture.supplyAsync(
              () -> {
                try (LockClient third = guarded(SHORT_TTL)) {
                  Grant grant = third.lock("b").acquire(TIMEOUT);
                  assertThat(held.isHeld()).isFalse();
                  return grant;
                }
              });

      // then
      try (Grant next = newcomer.join()) {
        assertThat(next.token().value()).isGreaterThan(held.token().value());
      }
      later.join();
      one.lock("c").acquire(TIMEOUT).check();
    }
  }

  @Test
  public void afterARestartWithoutDataNobodyIsLetInBesideAHolderThatBelieves() {
    nobodyIsLetInBesideAHolderThatBelievesAfter(server::restartEmpty);
  }

  @Test
  public void afterARestartFromAnOldSnapshotNobodyIsLetInBesideAHolderThatBelieves() {
    nobodyIsLetInBesideAHolderThatBelievesAfter(
        () ->
            server.restoreWithout(
                () -> {
                  try (LockClient last = guarded(SHORT_TTL)) {
                    last.lock("late").acquire(TIMEOUT);
                  }
                }));
  }

  @Test
  public void afterARestartThatMayLoseTheLastWritesNobodyIsLetInBesideAHolderThatBelieves() {
    server.command("CONFIG", "SET", "appendfsync", "everysec");
    nobodyIsLetInBesideAHolderThatBelievesAfter(
        () -> {
          server.kill();
          server.start("--appendfsync", "everysec");
        });
  }

  @Test
  public void aDiskThatWasNotTrustedForAWhileProvesNothing() {
    nobodyIsLetInBesideAHolderThatBelievesAfter(
        () -> {
          server.command("CONFIG", "SET", "appendfsync", "everysec");
          await()
              .atMost(TIMEOUT)
              .until(() -> server.command("HGET", "{holdfast:0}:namespace", "durable").equals("0"));
          server.command("CONFIG", "SET", "appendfsync", "always");
          server.restart();
        });
  }

  /** The disk was not trusted while the grants were made, so what it has now proves nothing. */
  @Test
  public void aDiskThatIsTrustedOnlySinceTheRestartProvesNothing() {
    server.command("CONFIG", "SET", "appendfsync", "everysec");
    nobodyIsLetInBesideAHolderThatBelievesAfter(server::restart);
  }
}
