package io.holdfast.redis.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.error.BadRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Trusted certificates and our own certificate for TLS.
 *
 * @param ca the certificates of the trusted authorities, in PEM; if empty, those that Java trusts
 * @param certificate our own certificate and its chain, in PEM; if empty, that of the Java process
 * @param key the private key of our certificate, in PEM
 */
record Tls(Optional<Path> ca, Optional<Path> certificate, Optional<Path> key) {

  /** The settings of the Java process. */
  static final Tls JAVA_DEFAULT = new Tls(Optional.empty(), Optional.empty(), Optional.empty());

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

  /** A key store needs a password even if it is never stored. */
  private static final char[] PASSWORD = {'-'};

  /** Reads something from a file. */
  private interface Reading<T> {
    T read() throws IOException, GeneralSecurityException;
  }

  /**
   * Reads the files, and returns a factory of encrypted sockets.
   *
   * @throws BadRequestException if a file cannot be read; the message names it
   */
  SSLSocketFactory sockets() {
    return equals(JAVA_DEFAULT)
        ? (SSLSocketFactory) SSLSocketFactory.getDefault()
        : context().getSocketFactory();
  }

  private SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(ca.isPresent() ? trusted(ca.get()) : null);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(
          certificate.isPresent() ? own(certificate.get(), key.orElseThrow()) : null, PASSWORD);
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new BadRequestException(
          "Cannot set up TLS with the files that the URI names: " + e.getMessage(), e);
    }
  }

  private static KeyStore trusted(Path file) {
    return from(
        file,
        () -> {
          KeyStore store = emptyStore();
          int serial = 0;
          for (Certificate each : certificates(file)) {
            store.setCertificateEntry("ca" + serial++, each);
          }
          return store;
        });
  }

  private static KeyStore own(Path certificate, Path key) {
    PrivateKey found = from(key, () -> privateKey(Files.readString(key, US_ASCII)));
    return from(
        certificate,
        () -> {
          KeyStore store = emptyStore();
          store.setKeyEntry(
              "own", found, PASSWORD, certificates(certificate).toArray(new Certificate[0]));
          return store;
        });
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new GeneralSecurityException("it contains no certificate");
      }
      return found;
    }
  }

  /** A PEM file does not name the algorithm of its key, so each is tried. */
  private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    Matcher matcher = KEY.matcher(pem);
    if (!matcher.find()) {
      throw new InvalidKeySpecException("it contains no unencrypted key (BEGIN PRIVATE KEY)");
    }
    PKCS8EncodedKeySpec encoded =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
    @Nullable InvalidKeySpecException last = null;
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        last = e;
      }
    }
    throw new InvalidKeySpecException("its key has none of the algorithms " + ALGORITHMS, last);
  }

  private static <T> T from(Path file, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new BadRequestException("The file %s cannot be used for TLS: %s".formatted(file, e), e);
    }
  }
}
