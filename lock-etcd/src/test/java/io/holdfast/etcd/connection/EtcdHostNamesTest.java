package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.testing.etcd.EtcdServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that are hosts to a resolver, and in networks of containers, but not to a URI of Java. */
@Tag("server")
class EtcdHostNamesTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static EtcdServer server;

  @BeforeAll
  static void start() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** None of them answers here: that they are taken for members is all that there is to see. */
  @ParameterizedTest
  @ValueSource(strings = {"shop_etcd_1", "etcd.1", "[::1]:1"})
  void aMemberMayHaveAnyNameThatAResolverKnows(String host) {
    String uri = "etcd://%s,%s/names".formatted(host, server.address());

    try (LockClient locks = Holdfast.connect(uri);
        Grant held = locks.lock(host).acquire(TIMEOUT)) {
      assertThat(held.isHeld()).isTrue();
    }
  }
}
