package io.holdfast.redis.failure;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A namespace was first used shortly before its server was lost, and no replica has any of it. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
public class RedisFirstUseTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** The restart guard lasts as long, and more than a slow machine takes to find it. */
  private static final Duration MAX_TTL = Duration.ofSeconds(8);

  private static final Pattern UPTIME = Pattern.compile("uptime_in_seconds:(\\d+)");

  private RedisServer master;
  private RedisServer replica;
  private RedisNamespace namespace;

  @BeforeEach
  public void startServersLongAgo() {
    master = RedisServer.launch("--repl-diskless-sync-delay", "0");
    replica = RedisServer.replicaOf(master);
    namespace = RedisNamespace.on(master);
    for (RedisServer server : new RedisServer[] {master, replica}) {
      await().atMost(TIMEOUT).until(() -> uptime(server) > MAX_TTL.toSeconds());
    }
  }

  @AfterEach
  public void stopServers() {
    namespace.close();
    replica.close();
    master.close();
  }

  private static long uptime(RedisServer server) {
    Matcher found = UPTIME.matcher(server.command("INFO", "server"));
    assertThat(found.find()).isTrue();
    return Long.parseLong(found.group(1));
  }

  private LockBackend connect(RedisServer server) {
    NamespaceWish wish =
        new NamespaceWish(OptionalInt.empty(), Optional.of(MAX_TTL), Optional.of(Duration.ZERO));
    return namespace.backend(
        server.uri() + "?prefix=" + namespace.prefix(),
        new BackendOptions(wish, RestartGuard.ON),
        () -> {});
  }

  private static SessionId session(LockBackend backend) {
    SessionId id = SessionId.fresh();
    backend.open(new SessionSpec(id, MAX_TTL, 0, new ProcessIdentity("host:4711")), soon());
    return id;
  }

  @Test
  public void onAPromotedReplicaEarlierLeasesAreWaitedForAndOnlyOnce() {
    // given: what is written from now on reaches no replica
    assertThat(replica.command("REPLICAOF", "NO", "ONE")).isEqualTo("OK");
    LockBackend before = connect(master);
    take(before, request(session(before), "a", IfHeld.REFUSE));
    master.kill();

    // when
    LockBackend after = connect(replica);
    Request next = request(session(after), "a", IfHeld.REFUSE);

    // then
    assertThat(after.grab(next, soon())).isInstanceOf(Attempt.Delayed.class);
    await().atMost(TIMEOUT).until(() -> after.grab(next, soon()) instanceof Attempt.Granted);
    LockBackend later = connect(replica);
    assertThat(later.grab(request(session(later), "b", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Granted.class);
  }
}
