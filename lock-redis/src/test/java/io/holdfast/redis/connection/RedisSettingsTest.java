package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.session;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Renewed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What locks rely on is set on the server while it runs, and its clients stay connected. */
class RedisSettingsTest extends RedisServerTestBase {

  @AfterEach
  void setRight() {
    server.command("CONFIG", "SET", "appendfsync", "always");
    server.command("CONFIG", "SET", "no-appendfsync-on-rewrite", "no");
    server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
  }

  private String durable() {
    return server.command("HGET", namespace.key("namespace"), "durable");
  }

  @Test
  void aDiskThatIsWrittenAtOnceIsTrusted() {
    session(namespace.backend());

    assertThat(durable()).isEqualTo("1");
  }

  @Test
  void aDiskThatIsNotWrittenDuringARewriteIsNotTrusted() {
    server.command("CONFIG", "SET", "no-appendfsync-on-rewrite", "yes");

    session(namespace.backend());

    assertThat(durable()).isEqualTo("0");
  }

  /** Once is enough: what was lost then is not back when it is set right again. */
  @Test
  void aDiskThatWasNotWrittenAtOnceForAWhileIsNotTrustedUntilTheNextRestart() {
    LockBackend backend = namespace.backend();
    SessionId mine = session(backend);
    backend.renew(mine, soon());
    server.command("CONFIG", "SET", "appendfsync", "everysec");

    backend.renew(mine, soon());

    assertThat(durable()).isEqualTo("0");
    server.command("CONFIG", "SET", "appendfsync", "always");
    backend.renew(mine, soon());
    session(namespace.backend());
    assertThat(durable()).isEqualTo("0");
  }

  @Test
  void nobodyComesToAServerThatMayEvictBySettingsOfLater() {
    LockBackend backend = namespace.backend();
    SessionId mine = session(backend);

    server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");

    assertThatThrownBy(() -> session(backend))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContainingAll("maxmemory-policy", "allkeys-lru");
    assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
    assertThatThrownBy(() -> namespace.backend()).isInstanceOf(BackendUnusableException.class);
  }
}
