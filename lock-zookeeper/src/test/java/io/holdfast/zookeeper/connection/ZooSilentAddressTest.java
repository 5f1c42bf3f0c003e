package io.holdfast.zookeeper.connection;

import io.holdfast.tck.adapter.SilentAddressRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Adapter("zookeeper")
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class ZooSilentAddressTest implements SilentAddressRules {

  private static ZooServer server;

  private final String path = "/" + UUID.randomUUID();

  @BeforeAll
  static void start() {
    server = ZooServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /**
   * Long enough for a slow machine to find an address silent, which takes two thirds of it, and go
   * on by the other.
   */
  @Override
  public Duration ttl() {
    return Duration.ofSeconds(15);
  }

  @Override
  public int serverPort() {
    return server.port();
  }

  @Override
  public String uri(String addresses) {
    return "zookeeper://%s%s?tickTime=%d".formatted(addresses, path, ZooServer.TICK.toMillis());
  }
}
