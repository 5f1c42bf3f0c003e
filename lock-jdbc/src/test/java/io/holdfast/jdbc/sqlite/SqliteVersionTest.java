package io.holdfast.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BackendUnusableException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteVersionTest {

  @ParameterizedTest
  @ValueSource(strings = {"3.7.0", "3.41.2", "2.8.17"})
  void anOlderOneThanTheStatementsNeedIsRefusedByItsVersion(String version) {
    assertThatThrownBy(() -> SqliteVersion.of(version).requireUsable())
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("SQLite " + version)
        .hasMessageContaining("3.42.0");
  }

  @ParameterizedTest
  @CsvSource({
    "3.42.0, true",
    "3.44.5, true",
    "3.44.6, false",
    "3.50.7, false",
    "3.51.0, true",
    "3.51.2, true",
    "3.51.3, false",
    "3.53, false"
  })
  void oneThatMayDamageTheFileCanBeUsed(String version, boolean mayDamage) {
    SqliteVersion read = SqliteVersion.of(version);

    read.requireUsable();

    assertThat(read.mayDamage()).isEqualTo(mayDamage);
  }
}
