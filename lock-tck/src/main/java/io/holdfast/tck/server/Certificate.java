package io.holdfast.tck.server;

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

  private static final String PASSWORD = "secret";

  /**
   * Makes one with the JDK's own tool.
   *
   * @param name of the host for which it is good
   */
  public static Certificate make(Path directory, String name) {
    Path store = directory.resolve("store.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "RSA",
            "-storetype",
            "PKCS12",
            "-alias",
            "it",
            "-dname",
            "CN=" + name,
            "-ext",
            "san=dns:" + name,
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD);
    Tools.run(command);
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      return new Certificate(
          pem(directory, "CERTIFICATE", keys.getCertificate("it").getEncoded()),
          pem(directory, "PRIVATE KEY", keys.getKey("it", PASSWORD.toCharArray()).getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("What keytool has made cannot be read.", e);
    }
  }

  private static Path pem(Path directory, String kind, byte[] bytes) throws IOException {
    String text =
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes), kind);
    return Files.write(
        directory.resolve(kind.replace(' ', '-')), text.getBytes(StandardCharsets.UTF_8));
  }
}
