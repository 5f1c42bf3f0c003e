package io.holdfast.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublicUriTest {

  @Test
  void noReportTellsAPassword() {
    assertThat(PublicUri.of("redis://me:secret@host:1/x --quick"))
        .isEqualTo("redis://…@host:1/x --quick");
    assertThat(PublicUri.of("jdbc:db://host/x?user=me&password=a/b&c=d&trustStorePassword=e"))
        .isEqualTo("jdbc:db://host/x?user=me&password=…&c=d&trustStorePassword=…");
  }

  @Test
  void settingsNameWhatTheUriHasOtherThanTheDefaults() {
    assertThat(new HoldfastContender("redis://host:1?restartGuard=off").settings())
        .isEqualTo(
            "defaults but for the URI's options restartGuard=off: TTL 15 s, acquire() and release()");
    assertThat(new HoldfastContender("jdbc:h2:async:/x;AUTO_SERVER=TRUE").settings())
        .contains("AUTO_SERVER=TRUE");
    assertThat(new HoldfastContender("jdbc:db://host/x?user=me&password=a").settings())
        .contains("user=me&password=…:");
    assertThat(new HoldfastContender("etcd://host:1").settings())
        .isEqualTo("defaults: TTL 15 s, acquire() and release()");
  }
}
