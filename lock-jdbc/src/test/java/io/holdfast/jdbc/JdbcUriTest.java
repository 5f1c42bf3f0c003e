package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.pools.PoolSettings;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUriTest {

  @ParameterizedTest
  @CsvSource({
    "jdbc:x://h/d, jdbc:x://h/d, holdfast_, ON",
    "jdbc:x://h/d?a=1&b, jdbc:x://h/d?a=1&b, holdfast_, ON",
    "jdbc:x://h/d?tablePrefix=shop_, jdbc:x://h/d, shop_, ON",
    "jdbc:x://h/d?a=1&restartGuard=off&b=2, jdbc:x://h/d?a=1&b=2, holdfast_, OFF",
    "jdbc:x://h/d?restartGuard=on&tablePrefix=s.t_&b=2, jdbc:x://h/d?b=2, s.t_, ON",
  })
  void whatIsOursIsTakenOut(String uri, String driver, String prefix, RestartGuard guard) {
    assertThat(JdbcUri.of(uri))
        .isEqualTo(new JdbcUri(driver, prefix, guard, PoolSettings.standard()));
  }

  /** The driver would look for a host of that name, and tell it with the password. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://app:secret@db/shop",
        "jdbc:mariadb://app:secret@db:3306/shop?tablePrefix=a_",
        "jdbc:mysql://db1,app:secret@db2/shop",
        "postgresql://app:se/secret@db/shop",
        "postgresql://app@db"
      })
  void aUserBeforeTheHostIsRefused(String uri) {
    assertThatThrownBy(() -> Holdfast.connect(uri))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("?user=…&password=…")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://db/shop?user=app@here",
        "jdbc:postgresql://db:5432/shop@home",
        "jdbc:h2:mem:a;PASSWORD=x://y@z",
        "jdbc:sqlite:/locks/a@b.db",
        "jdbc:h2:async:/locks/a@b"
      })
  void elsewhereTheSameCharacterIsOne(String uri) {
    assertThat(JdbcUri.of(uri).driver()).isEqualTo(uri);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tablePrefix=",
        "tablePrefix",
        "tablePrefix=Shop_",
        "tablePrefix=1x",
        "tablePrefix=x;drop",
        "tablePrefix=a.b.c",
        "tablePrefix=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "tablePrefix=a_&tablePrefix=b_",
        "connections=0",
        "connections=many",
        "connections=99999999999",
        "maxLifetime=-1",
        "maxLifetime=29999",
        "idleTimeout=9999",
        "leakDetectionThreshold=1",
        "restartGuard=false"
      })
  void whatMakesNoSenseIsRefused(String parameters) {
    assertThatThrownBy(() -> JdbcUri.of("jdbc:x://h/d?" + parameters))
        .isInstanceOf(BadRequestException.class);
  }

  /** {@code Holdfast.connect} takes it out of the URI; a driver would ignore it. */
  @Test
  void howManyMayWaitIsSaidToTheClient() {
    assertThatThrownBy(() -> JdbcLocks.at("jdbc:postgresql://h/d?maxWaiters=5"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("ClientBuilder.maxWaiters");
  }

  @Test
  void thePoolsAreNotTheDriversBusiness() {
    JdbcUri uri =
        JdbcUri.of(
            "jdbc:x://h/d?a=1&connections=3&poolName=locks&maxLifetime=60000&idleTimeout=0&leakDetectionThreshold=5000");

    assertThat(uri.driver()).isEqualTo("jdbc:x://h/d?a=1");
    assertThat(uri.pools())
        .isEqualTo(
            new PoolSettings(
                3,
                Optional.of("locks"),
                Duration.ofMinutes(1),
                Duration.ZERO,
                Duration.ofSeconds(5),
                Optional.empty()));
  }

  @Test
  void theGuardIsOffIfEitherSaysSo() {
    JdbcUri off = JdbcUri.of("jdbc:x://h/d?restartGuard=off");
    JdbcUri on = JdbcUri.of("jdbc:x://h/d?restartGuard=on");
    BackendOptions without =
        new BackendOptions(BackendOptions.DEFAULTS.namespace(), RestartGuard.OFF);

    assertThat(off.with(BackendOptions.DEFAULTS)).isEqualTo(without);
    assertThat(on.with(without)).isEqualTo(without);
    assertThat(on.with(BackendOptions.DEFAULTS)).isEqualTo(BackendOptions.DEFAULTS);
  }

  @Test
  void otherTablesAreOtherLocks(@TempDir Path directory) {
    String uri = "jdbc:sqlite:" + directory.resolve("locks.db");
    try (LockClient one = Holdfast.connect(uri);
        LockClient other = Holdfast.connect(uri + "?tablePrefix=shop_")) {
      assertThat(one.lock("a").tryAcquire()).isPresent();
      assertThat(other.lock("a").tryAcquire()).isPresent();
    }
  }

  @Test
  void theUriThatIsPrintedIsAccepted(@TempDir Path directory) {
    try (LockClient one = Holdfast.connect("jdbc:sqlite:" + directory.resolve("locks.db"));
        Grant grant = one.lock("a").tryAcquire().orElseThrow();
        LockClient other = Holdfast.connect(one.backend())) {
      assertThat(other.backend()).isEqualTo(one.backend());
      assertThat(other.lock("a").tryAcquire()).as("the lock that is held is the same").isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite:", "jdbc:sqlite:", "JDBC:sqlite:"})
  void theSchemeMayStandAloneWhereSettingsAreGivenToo(String scheme, @TempDir Path directory) {
    Path file = directory.resolve("locks.db");
    JdbcLocks locks = JdbcLocks.at(scheme + file);

    try (LockBackend backend =
        locks.connect(BackendOptions.DEFAULTS, Deadline.in(Duration.ofSeconds(60)))) {
      assertThat(backend.describe()).isEqualTo("sqlite:" + file);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sqlite:/x", "postgresql://h/d", "mariadb://h/d", "mysql://h/d", "h2:async:/x"})
  void theSchemeMayStandAlone(String uri) {
    assertThat(new JdbcLockProvider().accepts(uri)).isTrue();
    assertThat(new JdbcLockProvider().accepts("jdbc:" + uri)).isTrue();
  }

  @Test
  void aLockFileHasNoSchemas(@TempDir Path directory) {
    assertThatThrownBy(
            () ->
                Holdfast.connect(
                    "jdbc:sqlite:" + directory.resolve("locks.db") + "?tablePrefix=main.x_"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no schemas");
  }

  @ParameterizedTest
  @ValueSource(strings = {"locking.holdfast_", "public.holdfast_"})
  void aSchemaOfH2StandsAmongItsOptions(String prefix) {
    String uri = "jdbc:h2:mem:schemas?tablePrefix=" + prefix;

    assertThatThrownBy(() -> Holdfast.connect(uri))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(";SCHEMA=");
    assertThatThrownBy(
            () -> new JdbcLockProvider().retire(uri, Deadline.in(Duration.ofSeconds(60))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(";SCHEMA=");
  }

  @Test
  void tablesOfH2AreInTheSchemaThatItsOptionNames() {
    String uri = "jdbc:h2:mem:schema;INIT=CREATE SCHEMA IF NOT EXISTS locking";
    try (LockClient one = Holdfast.connect(uri);
        LockClient other = Holdfast.connect(uri + ";SCHEMA=LOCKING");
        LockClient again = Holdfast.connect(uri + ";SCHEMA=LOCKING")) {
      assertThat(one.lock("a").tryAcquire()).isPresent();
      assertThat(other.lock("a").tryAcquire()).isPresent();
      assertThat(again.lock("a").tryAcquire()).isEmpty();
    }
  }
}
