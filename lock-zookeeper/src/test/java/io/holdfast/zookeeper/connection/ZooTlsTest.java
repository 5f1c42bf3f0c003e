package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.testing.server.Certificate;
import io.holdfast.testing.zookeeper.ZooServer;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted, with certificates on both sides. */
@Tag("server")
class ZooTlsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String PASSWORD = Certificate.PASSWORD;

  @TempDir private static Path directory;

  private static ZooServer server;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    makeStores();
    port = ServerProcess.freePort();
    server =
        ZooServer.launch(
            "secureClientPort=" + port,
            "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
            "ssl.keyStore.location=" + keys(),
            "ssl.keyStore.password=" + PASSWORD,
            "ssl.trustStore.location=" + trust(),
            "ssl.trustStore.password=" + PASSWORD);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Path keys() {
    return directory.resolve("keys.p12");
  }

  private static Path trust() {
    return directory.resolve("trust.p12");
  }

  /** One certificate, which both sides have and trust. */
  private static void makeStores() throws Exception {
    KeyStore made = Certificate.makeStore(keys(), "localhost", "dns:localhost,ip:127.0.0.1");
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(Certificate.ALIAS, made.getCertificate(Certificate.ALIAS));
    try (OutputStream out = Files.newOutputStream(trust())) {
      trusted.store(out, PASSWORD.toCharArray());
    }
  }

  private static String uri(String... options) {
    return "zookeepers://127.0.0.1:%d/tls?tickTime=200%s".formatted(port, String.join("", options));
  }

  private static String trusting() {
    return "&trustStore=%s&trustStorePassword=%s".formatted(trust(), PASSWORD);
  }

  @Test
  void locksAreTakenAndPassedOnOverTls() {
    String knownToEachOther =
        uri(trusting(), "&keyStore=%s&keyStorePassword=%s".formatted(keys(), PASSWORD));
    try (LockClient one = Holdfast.connect(knownToEachOther);
        LockClient other = Holdfast.connect(knownToEachOther)) {
      Grant held = one.lock("a").acquire(TIMEOUT);
      // Opens its session with the patience that an attempt lacks on a slow machine.
      other.lock("b").acquire(TIMEOUT).close();
      assertThat(other.lock("a").tryAcquire()).isEmpty();
      held.close();
      try (Grant next = other.lock("a").acquire(TIMEOUT)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }

  @Test
  void whoHasNoCertificateIsNotLetIn() {
    assertThatThrownBy(() -> Holdfast.connect(uri(trusting())))
        .isInstanceOf(BackendUnreachableException.class)
        .hasMessageNotContaining(PASSWORD);
  }
}
