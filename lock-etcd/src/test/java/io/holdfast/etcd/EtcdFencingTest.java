package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.tck.adapter.FencedWriteRules;
import io.holdfast.tck.adapter.PausedWriterRules;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.etcd.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Adapter("etcd")
@Tag("server")
class EtcdFencingTest implements FencedWriteRules, PausedWriterRules {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final ByteSequence KEY =
      ByteSequence.from("application/key", StandardCharsets.UTF_8);

  private static EtcdServer server;
  private static Client client;

  @BeforeAll
  static void start() {
    server = EtcdServer.launch();
    client = Client.builder().endpoints("http://" + server.address()).build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Override
  public LockClient connect() {
    return Holdfast.builder().connect(EtcdLocks.on(client));
  }

  @Override
  public Fenced fencedBy(Grant grant) {
    Cmp held = new EtcdFencing(client).isHeld(grant.name(), grant.token(), TIMEOUT);
    return value ->
        client
            .getKVClient()
            .txn()
            .If(held)
            .Then(Op.put(KEY, ByteSequence.from(value, StandardCharsets.UTF_8), PutOption.DEFAULT))
            .commit()
            .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
            .isSucceeded();
  }

  @Override
  public Class<? extends FencedResource> resource() {
    return EtcdOrders.class;
  }

  @Override
  public String place() {
    return "http://" + server.address();
  }

  /** The application's client is its own: it goes on when ours are closed. */
  @Test
  void aClientOfTheApplicationIsNotClosed() throws Exception {
    connect().close();

    client.getKVClient().get(KEY).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }
}
