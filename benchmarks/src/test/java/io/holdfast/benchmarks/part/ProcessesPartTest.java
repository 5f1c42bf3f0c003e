package io.holdfast.benchmarks.part;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessesPartTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://127.0.0.1:6379",
        "jdbc:sqlite:/tmp/locks.db",
        "jdbc:h2:tcp://127.0.0.1/locks",
        "jdbc:h2:async:/tmp/locks;AUTO_SERVER=TRUE"
      })
  void processesShareAStoreThatEachReachesByItsUri(String uri) {
    assertThat(ProcessesPart.isShared(uri)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:a", "jdbc:h2:mem:a", "jdbc:h2:async:/tmp/locks"})
  void aStoreOfOneProcessIsLeftOut(String uri) {
    assertThat(ProcessesPart.isShared(uri)).isFalse();
  }
}
