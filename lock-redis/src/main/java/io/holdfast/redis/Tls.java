package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.BadRequestException;
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
 * Whom to trust with encrypted connections, and who we are.
 *
 * @param ca the certificates of the authorities that are trusted, in PEM; those that Java trusts if
 *     empty
 * @param certificate our own and the chain behind it, in PEM; those that Java was started with if
 *     empty
 * @param key its key, in PEM
 */
record Tls(Optional<Path> ca, Optional<Path> certificate, Optional<Path> key) {

  /** What Java does when it is not told anything. */
  static final Tls OF_JAVA = new Tls(Optional.empty(), Optional.empty(), Optional.empty());

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

  /** Java wants one also for what is never stored. */
  private static final char[] PASSWORD = {'-'};

  /** Something that is read from a file. */
  private interface Reading<T> {
    T read() throws IOException, GeneralSecurityException;
  }

  /**
   * Reads the files, and returns what encrypts connections so.
   *
   * @throws BadRequestException if one cannot be read, which the message names
   */
  SSLSocketFactory sockets() {
    return equals(OF_JAVA)
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
      throw new BadRequestException("TLS cannot be set up with these files: " + e.getMessage(), e);
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
        throw new GeneralSecurityException("there is no certificate in it");
      }
      return found;
    }
  }

  /** A key does not say of which kind it is, so it is tried. */
  private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    Matcher matcher = KEY.matcher(pem);
    if (!matcher.find()) {
      throw new InvalidKeySpecException("there is no BEGIN PRIVATE KEY in it, not encrypted");
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
    throw new InvalidKeySpecException("it is a key of none of the kinds " + ALGORITHMS, last);
  }

  private static <T> T from(Path file, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new BadRequestException("The file %s cannot be used for TLS: %s".formatted(file, e), e);
    }
  }
}
