package io.holdfast.zookeeper.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CreatedNodeTest {

  @ParameterizedTest
  @CsvSource({
    "/a/d-1, /a/d-1, PERSISTENT, true",
    "/a/d-1, /a/d-1, CONTAINER, true",
    "/a/d-12, /a/d-1, PERSISTENT, false",
    "/a/b, /a, CONTAINER, false",
    "/a, /a/b, CONTAINER, false",
    "/a/x-0000000012, /a/x-, EPHEMERAL_SEQUENTIAL, true",
    "/a/x--0000000012, /a/x-, PERSISTENT_SEQUENTIAL, true",
    "/a/x-12, /a/x-, EPHEMERAL_SEQUENTIAL, false",
    "/a/y-0000000012, /a/x-, EPHEMERAL_SEQUENTIAL, false",
    "/a/x-/000000001, /a/x-, EPHEMERAL_SEQUENTIAL, false",
    "/a, /a/x-, EPHEMERAL_SEQUENTIAL, false"
  })
  void aNodeHasTheNameThatItWasAskedForBy(
      String path, String asked, CreateMode mode, boolean isNamed) {
    assertThat(CreatedNode.isNamed(path, asked, mode)).isEqualTo(isNamed);
  }
}
