package io.holdfast.etcd.connection;

import io.holdfast.tck.adapter.SilentAddressRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.etcd.EtcdServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Adapter("etcd")
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class EtcdSilentAddressTest implements SilentAddressRules {

  private static EtcdServer server;

  private final String prefix = "/" + UUID.randomUUID();

  @BeforeAll
  static void start() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public int serverPort() {
    return server.port();
  }

  @Override
  public String uri(String addresses) {
    return "etcd://" + addresses + prefix;
  }
}
