package io.holdfast.etcd.failure;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.DeleteOption;
import io.holdfast.LockName;
import io.holdfast.etcd.EtcdLockProvider;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A restored backup, and the commands that the page of etcd wants to be run then. */
@Tag("server")
class EtcdRestoreTest {

  private static final Path PAGE = Path.of("..", "docs", "backends", "etcd.md");
  private static final Pattern COMMAND = Pattern.compile("(?m)^ *etcdctl del (--prefix )?(\\S+)$");
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final LockName SINCE = new LockName("since");

  private EtcdServer server;
  private LockBackend backend;

  @BeforeEach
  void start() {
    server = EtcdServer.launch();
    backend =
        new EtcdLockProvider()
            .connect("etcd://" + server.address(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void stop() {
    backend.close();
    server.close();
  }

  @Test
  void afterTheDocumentedStepsSessionsAreOverAndTokensRise() throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    List<Held> since = new ArrayList<>();
    server.restoreWithout(() -> since.add(answered(() -> client.hold(SINCE))));

    runDocumentedSteps();

    assertThat(answered(client::renew)).isEqualTo(new Renewed.Over());
    SpiClient other = SpiClient.open(backend, StoreFixture.LONG);
    assertThat(other.hold(SINCE).number()).isGreaterThan(since.get(0).number());
  }

  /** Calls until the client has noticed that the server is there again. */
  private static <T> T answered(Callable<T> call) {
    return await()
        .atMost(TIMEOUT)
        .ignoreException(BackendFailure.class)
        .until(call, answer -> true);
  }

  private void runDocumentedSteps() throws Exception {
    List<MatchResult> commands = COMMAND.matcher(Files.readString(PAGE)).results().toList();
    assertThat(commands).hasSize(2);
    try (Client client = Client.builder().endpoints("http://" + server.address()).build()) {
      for (MatchResult command : commands) {
        DeleteOption option = DeleteOption.builder().isPrefix(command.group(1) != null).build();
        client
            .getKVClient()
            .delete(Keys.bytes(command.group(2)), option)
            .get(TIMEOUT.toSeconds(), SECONDS);
      }
    }
  }
}
