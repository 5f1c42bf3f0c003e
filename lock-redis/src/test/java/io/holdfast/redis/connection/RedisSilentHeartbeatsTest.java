package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.RespFraming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Renewals of several sessions at once, which must not wait for each other. */
class RedisSilentHeartbeatsTest extends RedisServerTestBase {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofHours(1);
  private static final int SESSIONS = 10;
  private static final int KEPT = 2;

  private NetworkProxy network;
  private OwnClient client;

  @BeforeEach
  void connect() {
    network = NetworkProxy.to(server.port(), RespFraming::new);
    client = new OwnClient(RedisUri.of(namespace.uri(network.port())), RestartGuard.OFF);
  }

  @AfterEach
  void close() {
    client.close();
    network.close();
  }

  private void renew(Deadline deadline) {
    assertThat(client.run(Script.SETTINGS, CallKind.HEARTBEAT, 0, List.of(), deadline)).isNull();
  }

  private List<CompletableFuture<Void>> renewAtOnce(int sessions) {
    List<CompletableFuture<Void>> renewals = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      renewals.add(done);
      Thread thread = new Thread(() -> completeWith(done, () -> renew(Deadline.in(LONG))));
      thread.setDaemon(true);
      thread.start();
    }
    return renewals;
  }

  private static void completeWith(CompletableFuture<Void> done, Runnable task) {
    try {
      task.run();
      done.complete(null);
    } catch (BackendFailure e) {
      done.completeExceptionally(e);
    }
  }

  /** As when a firewall has forgotten the connections that are open, and lets new ones pass. */
  @Test
  void renewalsThatHangKeepNoOtherWaiting() {
    network.isolate();
    List<CompletableFuture<Void>> hanging = renewAtOnce(SESSIONS - 1);
    await().atMost(TIMEOUT).until(() -> network.connections() == SESSIONS - 1);
    network.heal();

    renew(soon());

    assertThat(hanging).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void connectionsThatOnlyManyRenewalsAtOnceNeedAreNotKept() {
    server.pause();
    List<CompletableFuture<Void>> renewals = renewAtOnce(SESSIONS);
    await().atMost(TIMEOUT).until(() -> network.connections() == SESSIONS);
    server.resume();

    renewals.forEach(CompletableFuture::join);

    await().atMost(TIMEOUT).until(() -> network.connections() == KEPT);
  }
}
