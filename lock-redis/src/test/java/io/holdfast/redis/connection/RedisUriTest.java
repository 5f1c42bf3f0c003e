package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import io.holdfast.redis.RedisLockProvider;
import io.holdfast.redis.connection.RedisUri.Layout;
import io.holdfast.spi.BackendOptions.RestartGuard;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;

class RedisUriTest {

  @Test
  void aHostAloneIsEnough() {
    RedisUri uri = RedisUri.of("redis://db.example");

    assertThat(uri.layout()).isEqualTo(Layout.SERVER);
    assertThat(uri.hosts()).containsExactly(new HostAndPort("db.example", 6379));
    assertThat(uri.tls()).isEmpty();
    assertThat(uri.user()).isEmpty();
    assertThat(uri.password()).isEmpty();
    assertThat(uri.names().prefix()).isEqualTo("holdfast");
    assertThat(uri.restartGuard()).isEqualTo(RestartGuard.ON);
  }

  @Test
  void everythingCanBeSaid() {
    RedisUri uri =
        RedisUri.of(
            "rediss://joe:p%40ss%2B+:w@[::1]:7000/3?prefix=shop&waitReplicas=2&restartGuard=off&ca=/a&cert=b%26&key=c");

    assertThat(uri.tls())
        .contains(
            new Tls(
                Optional.of(Path.of("/a")), Optional.of(Path.of("b&")), Optional.of(Path.of("c"))));
    assertThat(uri.user()).isEqualTo(Optional.of("joe"));
    assertThat(uri.password()).isEqualTo(Optional.of("p@ss++:w"));
    assertThat(uri.hosts()).containsExactly(new HostAndPort("::1", 7000));
    assertThat(uri.database()).isEqualTo(3);
    assertThat(uri.names().prefix()).isEqualTo("shop");
    assertThat(uri.waitReplicas()).isEqualTo(2);
    assertThat(uri.restartGuard()).isEqualTo(RestartGuard.OFF);
  }

  @Test
  void aPasswordWithoutAUserIsThatOfTheDefaultUser() {
    RedisUri uri = RedisUri.of("redis://:secret@db");

    assertThat(uri.user()).isEmpty();
    assertThat(uri.password()).isEqualTo(Optional.of("secret"));
  }

  @Test
  void sentinelsKnowAMasterByItsName() {
    RedisUri uri = RedisUri.of("redis-sentinel://a,b:1/main/2");

    assertThat(uri.hosts())
        .isEqualTo(List.of(new HostAndPort("a", 26379), new HostAndPort("b", 1)));
    assertThat(uri.master()).isEqualTo("main");
    assertThat(uri.database()).isEqualTo(2);
  }

  @Test
  void aPasswordIsNotTold() {
    assertThat(RedisUri.of("redis://joe:secret@db/1").describe()).isEqualTo("redis://db:6379/1");
    assertThatThrownBy(() -> RedisUri.of("redis://joe:secret@db:x"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis:",
        "redis://",
        "redis://a,b",
        "redis://a/x",
        "redis://a/1/2",
        "redis://a?ttl=3",
        "redis://a?prefix=",
        "redis://a?prefix={x}",
        "redis://a?waitReplicas=many",
        "redis://a?restartGuard=maybe",
        "redis://a?ca=/a",
        "rediss://a?cert=/a",
        "redis://%zz@a",
        "redis-sentinel://a",
        "redis-cluster://a/1"
      })
  void whatIsNotAUriIsRefused(String uri) {
    assertThat(new RedisLockProvider().accepts(uri)).isTrue();
    assertThatThrownBy(() -> RedisUri.of(uri)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void otherStoresUrisAreLeftToOthers() {
    assertThat(new RedisLockProvider().accepts("jdbc:sqlite:x")).isFalse();
    assertThat(new RedisLockProvider().accepts("redistribution://x")).isFalse();
    assertThat(new RedisLockProvider().accepts("REDIS://x")).isTrue();
  }
}
