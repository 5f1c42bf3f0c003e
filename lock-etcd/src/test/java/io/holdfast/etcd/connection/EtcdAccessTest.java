package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Auth;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.etcd.EtcdLocks;
import io.holdfast.record.RevokeWhen;
import io.holdfast.testing.etcd.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that wants to know who asks. */
@Tag("server")
class EtcdAccessTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static EtcdServer server;

  @BeforeAll
  static void start() throws Exception {
    server = EtcdServer.launch();
    try (Client client = Client.builder().endpoints("http://" + server.address()).build()) {
      Auth auth = client.getAuthClient();
      done(auth.userAdd(bytes("root"), bytes("secret")));
      done(auth.userGrantRole(bytes("root"), bytes("root")));
      done(auth.userAdd(bytes("app"), bytes("p@ss")));
      done(auth.roleAdd(bytes("shop")));
      done(
          auth.roleGrantPermission(
              bytes("shop"), bytes("shop:"), bytes("shop;"), Permission.Type.READWRITE));
      done(auth.userGrantRole(bytes("app"), bytes("shop")));
      done(auth.authEnable());
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void done(CompletableFuture<?> future) throws Exception {
    Object unused = future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  private static LockClient connect(String login, String prefix) {
    return Holdfast.connect("etcd://%s%s/%s".formatted(login, server.address(), prefix));
  }

  /** The role that the documentation tells to make is enough. */
  @Test
  void aUserWithTheRoleOnThePrefixLocksWaitsAndLists() throws Exception {
    try (LockClient one = connect("app:p%40ss@", "shop");
        LockClient other = connect("app:p%40ss@", "shop")) {
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(TIMEOUT));
      await().atMost(TIMEOUT).until(() -> one.find("a").orElseThrow().waiters().size() == 1);
      assertThat(one.list("")).hasSize(1);
      one.revoke(one.find("a").orElseThrow(), RevokeWhen.NOW);
      assertThat(waits.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).token())
          .isGreaterThan(held.token());
    }
  }

  @Test
  void anApplicationsClientThatLogsInLocksForUs() {
    try (Client client =
            Client.builder()
                .endpoints("http://" + server.address())
                .user(bytes("app"))
                .password(bytes("p@ss"))
                .build();
        LockClient locks = Holdfast.builder().connect(EtcdLocks.on(client, "shop"));
        Grant held = locks.lock("application's").acquire(TIMEOUT)) {
      assertThat(held.isHeld()).isTrue();
    }
  }

  /** Its grants outlive a restart on a slow machine, and are soon renewed after it. */
  private static LockClient connectForLong() {
    return Holdfast.builder()
        .defaultTtl(Duration.ofSeconds(60))
        .heartbeat(Duration.ofSeconds(1))
        .connect("etcd://app:p%%40ss@%s/shop".formatted(server.address()));
  }

  /** It has its users on disk, but not who has logged in. */
  @Test
  void whoHasLoggedInDoesSoAgainWhenTheServerWasRestarted() {
    try (LockClient one = connectForLong();
        LockClient other = connectForLong()) {
      Grant held = one.lock("restarted").acquire(TIMEOUT);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("restarted").acquire(TIMEOUT));
      await()
          .atMost(TIMEOUT)
          .until(() -> one.find("restarted").orElseThrow().waiters().size() == 1);

      server.restart();

      Duration left = held.remaining();
      await().atMost(TIMEOUT).until(() -> held.remaining().compareTo(left) > 0);
      held.release();
      assertThat(waits.join().token()).isGreaterThan(held.token());
    }
  }

  @Test
  void whoeverMayNotIsToldSoAtOnce() {
    for (String login : new String[] {"", "app:wrong@", "nobody:p%40ss@"}) {
      assertThatThrownBy(() -> connect(login, "shop"))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("refused the login")
          .hasMessageNotContaining("p@ss");
    }
    assertThatThrownBy(() -> connect("app:p%40ss@", "other"))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("may not do this");
  }

  @Test
  void whoeverLogsInWhereNobodyHasToIsToldSoAtOnce() {
    try (EtcdServer open = EtcdServer.launch()) {
      assertThatThrownBy(() -> Holdfast.connect("etcd://app:p%40ss@" + open.address() + "/shop"))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("authentication is not enabled")
          .hasMessageNotContaining("p@ss");
    }
  }
}
