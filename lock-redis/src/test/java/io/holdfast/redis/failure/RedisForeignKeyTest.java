package io.holdfast.redis.failure;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A key that is not ours stops a script that has written already; Redis takes nothing back. */
class RedisForeignKeyTest extends RedisServerTestBase {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private LockClient client() {
    return Holdfast.builder().withoutRestartGuard().defaultTtl(TIMEOUT).connect(namespace.uri());
  }

  @Test
  void aGrabThatFailsInItsMiddleMayHaveBeenDone() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    server.command("SET", namespace.key("held"), "mine");

    assertThatThrownBy(() -> backend.grab(request(mine, "a", IfHeld.QUEUE), soon()))
        .isInstanceOfSatisfying(
            BackendFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN))
        .hasCauseInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("is not ours");
    assertThat(server.command("EXISTS", namespace.key("lock:a"))).isEqualTo("1");
  }

  /** Not when its session ends, which is renewed as long as its client lives. */
  @Test
  void whatItHasTakenIsGivenBackWhenTheKeyIsGone() {
    try (LockClient one = client();
        LockClient other = client()) {
      one.lock("before").acquire(TIMEOUT).release();
      server.command("SET", namespace.key("held"), "mine");

      assertThatThrownBy(() -> one.lock("a").tryAcquire())
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("is not ours");
      server.command("DEL", namespace.key("held"));

      await().atMost(TIMEOUT.dividedBy(3)).until(() -> other.lock("a").tryAcquire().isPresent());
    }
  }
}
