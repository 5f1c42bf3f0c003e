package io.holdfast.benchmarks.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreKindTest {

  @ParameterizedTest
  @EnumSource
  void eachIsFoundByItsName(StoreKind kind) {
    assertThat(StoreKind.of(kind.label())).isEqualTo(kind);
  }

  @Test
  void anUnknownNameIsRefusedWithThoseThatAreKnown() {
    assertThatThrownBy(() -> StoreKind.of("oracle"))
        .hasMessageContaining("oracle")
        .hasMessageContaining("sqlite, postgresql, mariadb, h2, redis, etcd");
  }
}
