package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.redis.RedisLockProvider;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.adapter.OutageFixture;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.server.Certificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is its own authority, and a cluster of it alone. */
@Tag("server")
class RedisTlsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration SILENCE = Duration.ofSeconds(8);
  private static final String NAME = "localhost";
  private static final int PORT = ServerProcess.freePort();

  @TempDir private static Path directory;

  private static Certificate own;
  private static Certificate foreign;
  private static RedisServer server;

  @BeforeAll
  static void start() throws Exception {
    own = Certificate.make(Files.createDirectory(directory.resolve("own")), NAME);
    foreign = Certificate.make(Files.createDirectory(directory.resolve("foreign")), NAME);
    server = launch(PORT);
    server.command("ACL", "SETUSER", "joe", "on", ">right", "~*", "&*", "+@all");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RedisServer launch(int port, String... settings) {
    String[] tls = {
      "--tls-port",
      Integer.toString(port),
      "--tls-cert-file",
      own.certificate().toString(),
      "--tls-key-file",
      own.key().toString(),
      "--tls-ca-cert-file",
      own.certificate().toString(),
      "--tls-auth-clients",
      "optional"
    };
    String[] all = new String[tls.length + settings.length];
    System.arraycopy(tls, 0, all, 0, tls.length);
    System.arraycopy(settings, 0, all, tls.length, settings.length);
    return RedisServer.launch(all);
  }

  private static String uri(String host, int port, String parameters) {
    return "rediss://%s:%d?restartGuard=off%s".formatted(host, port, parameters);
  }

  private static String trusting(Certificate authority) {
    return "&ca=" + authority.certificate();
  }

  private static String as(Certificate certificate) {
    return "&cert=" + certificate.certificate() + "&key=" + certificate.key();
  }

  private static LockBackend connect(String uri) {
    return new RedisLockProvider().connect(uri, BackendOptions.DEFAULTS, soon());
  }

  private static void handOver(String uri) {
    OutageFixture clients = () -> uri;
    clients.holdAndWaitOver(() -> {});
  }

  @Test
  void aUserWithItsPasswordLocksOverTls() {
    handOver(uri("joe:right@" + NAME, PORT, trusting(own)));

    assertThatThrownBy(() -> connect(uri("joe:wrong@" + NAME, PORT, trusting(own))))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("refused the login")
        .hasMessageNotContaining("wrong");
  }

  @Test
  void aServerWithoutATrustedAuthorityIsRefused() {
    for (String authority : new String[] {"", trusting(foreign)}) {
      assertThatThrownBy(() -> connect(uri(NAME, PORT, authority)))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("certificate is not accepted")
          .hasMessageContaining("PKIX")
          .hasMessageContaining("ca=FILE");
    }
  }

  @Test
  void aServerWithACertificateOfAnotherHostIsRefused() {
    assertThatThrownBy(() -> connect(uri("127.0.0.1", PORT, trusting(own))))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("certificate is not accepted")
        .hasMessageContaining("127.0.0.1");
  }

  @Test
  void aServerMayWantCertificatesOfItsClients() {
    assertThat(server.command("CONFIG", "SET", "tls-auth-clients", "yes")).isEqualTo("OK");
    try {
      handOver(uri(NAME, PORT, trusting(own) + as(own)));

      assertThatThrownBy(() -> connect(uri(NAME, PORT, trusting(own) + as(foreign))))
          .isInstanceOfAny(BackendUnusableException.class, BackendFailure.class);
      assertThatThrownBy(() -> connect(uri(NAME, PORT, trusting(own))))
          .isInstanceOfAny(BackendUnusableException.class, BackendFailure.class);
    } finally {
      server.command("CONFIG", "SET", "tls-auth-clients", "optional");
    }
  }

  /** A server that does not speak TLS says nothing. */
  @Test
  void whoeverDoesNotAnswerTheGreetingIsGivenUpByTheDeadline() {
    String silent = uri(NAME, server.port(), trusting(own));
    CompletableFuture<LockBackend> connecting =
        CompletableFuture.supplyAsync(
            () ->
                new RedisLockProvider()
                    .connect(silent, BackendOptions.DEFAULTS, Deadline.in(SILENCE)));
    assertThat(connecting)
        .as("a connection to what is silent")
        .failsWithin(TIMEOUT)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(BackendFailure.class);

    assertThatThrownBy(() -> connect("redis://%s:%d".formatted(NAME, PORT)))
        .isInstanceOf(BackendFailure.class);
  }

  @Test
  void aFileThatCannotBeUsedIsNamed() throws Exception {
    Path empty = Files.createFile(directory.resolve("empty"));
    for (String files :
        new String[] {
          "&ca=/none",
          "&ca=" + empty,
          trusting(own) + "&cert=" + own.certificate() + "&key=" + empty,
          trusting(own) + "&cert=/none&key=" + own.key()
        }) {
      assertThatThrownBy(() -> connect(uri(NAME, PORT, files)))
          .isInstanceOf(BadRequestException.class)
          .hasMessageMatching(".*(/none|" + empty + ") cannot be used for TLS.*");
    }
  }

  @Test
  void aClusterIsReachedOverTlsToo() {
    int port = ServerProcess.freePort();
    String bus = Integer.toString(ServerProcess.freePort());
    try (RedisServer node =
        launch(port, "--cluster-enabled", "yes", "--tls-cluster", "yes", "--cluster-port", bus)) {
      assertThat(node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383")).isEqualTo("OK");
      await()
          .atMost(TIMEOUT)
          .until(() -> node.command("CLUSTER", "INFO").contains("cluster_state:ok"));

      handOver(uri(NAME, port, trusting(own)).replace("rediss:", "rediss-cluster:"));
    }
  }
}
