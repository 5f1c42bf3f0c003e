package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.HoldfastException;
import io.holdfast.testing.etcd.EtcdServer;
import io.holdfast.testing.server.Certificate;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that wants TLS, and certificates of its clients. */
@Tag("server")
class EtcdTlsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String NAME = "etcd.example";

  @TempDir private static Path directory;

  private static Certificate certificate;
  private static EtcdServer server;

  @BeforeAll
  static void start() throws Exception {
    certificate = Certificate.make(directory, NAME);
    Path file = certificate.certificate();
    server =
        EtcdServer.launch(
            "--cert-file=" + file,
            "--key-file=" + certificate.key(),
            "--trusted-ca-file=" + file,
            "--client-cert-auth");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String uri(String options) {
    return "etcds://" + server.address() + "/tls?" + options;
  }

  private static String trust() {
    return "ca=" + certificate.certificate() + "&authority=" + NAME;
  }

  private static String identity() {
    return "&cert=" + certificate.certificate() + "&key=" + certificate.key();
  }

  @Test
  void whoKnowsTheAuthorityAndIsKnownLocks() {
    try (LockClient client = Holdfast.connect(uri(trust() + identity()));
        Grant grant = client.lock("a").acquire(TIMEOUT)) {
      assertThat(grant.isHeld()).isTrue();
    }
  }

  @Test
  void whoIsNotKnownOrDoesNotTrustIsNotLetIn() {
    for (String options : new String[] {trust(), "authority=" + NAME + identity()}) {
      assertThatThrownBy(() -> Holdfast.connect(uri(options)))
          .isInstanceOf(HoldfastException.class);
    }
    assertThatThrownBy(() -> Holdfast.connect("etcd://" + server.address() + "/tls"))
        .isInstanceOf(HoldfastException.class);
  }

  @Test
  void aFileThatIsMissingIsNamed() {
    assertThatThrownBy(() -> Holdfast.connect(uri("ca=/none")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("/none");
  }
}
