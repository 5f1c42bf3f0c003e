package io.holdfast.testing.server;

import io.holdfast.tck.server.Tools;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A certificate that has signed itself, and its key, as files in PEM.
 *
 * @param certificate the file of the certificate
 * @param key the file of the key
 */
public record Certificate(Path certificate, Path key) {

  /** Of key stores, and the keys in them. */
  public static final String PASSWORD = "secret";

  /** The name of the key and its certificate in key stores. */
  public static final String ALIAS = "it";

  /**
   * Makes one with the JDK's own tool.
   *
   * @param name of the host for which it is good
   */
  public static Certificate make(Path directory, String name) {
    KeyStore keys = makeStore(directory.resolve("store.p12"), name, "dns:" + name);
    try {
      return new Certificate(
          pem(directory, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
          pem(directory, "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw unreadable(e);
    }
  }

  /**
   * Makes a certificate and its key as a key store in PKCS 12 instead.
   *
   * @param hosts for which it is good, as keytool has them: {@code dns:NAME,ip:ADDRESS}
   */
  public static KeyStore makeStore(Path file, String name, String hosts) {
    Tools.run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-genkeypair",
            // Its keys are made much sooner than those of RSA.
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-storetype",
            "PKCS12",
            "-alias",
            ALIAS,
            "-dname",
            "CN=" + name,
            "-ext",
            "san=" + hosts,
            "-keystore",
            file.toString(),
            "-storepass",
            PASSWORD));
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      return keys;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw unreadable(e);
    }
  }

  private static IllegalStateException unreadable(GeneralSecurityException e) {
    return new IllegalStateException("What keytool has made cannot be read.", e);
  }

  private static Path pem(Path directory, String kind, byte[] bytes) throws IOException {
    String text =
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes), kind);
    return Files.write(
        directory.resolve(kind.replace(' ', '-')), text.getBytes(StandardCharsets.UTF_8));
  }
}
