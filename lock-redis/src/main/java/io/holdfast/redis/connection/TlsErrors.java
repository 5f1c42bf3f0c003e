package io.holdfast.redis.connection;

import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains failures of TLS that a retry does not cure. */
final class TlsErrors {

  private TlsErrors() {}

  /** Returns the fault and its remedy; empty if a retry may succeed. */
  static Optional<String> remedy(Throwable failure) {
    Optional<String> why = find(failure, CertificateException.class);
    if (why.isPresent()) {
      return Optional.of(
          "its certificate is not accepted (%s). Name the authority that signed it with ca=FILE, and the host as the certificate does."
              .formatted(why.get()));
    }
    return find(failure, SSLException.class)
        .filter(message -> message.contains("fatal alert"))
        .map(
            "it refused the login (%s). If it requires a client certificate, name one with cert=FILE and key=FILE."
                ::formatted);
  }

  /** Returns the message of the innermost cause of a kind, which says the most. */
  private static Optional<String> find(Throwable failure, Class<? extends Exception> kind) {
    Optional<String> found = Optional.empty();
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      if (kind.isInstance(each)) {
        found = Optional.of(String.valueOf(each.getMessage()));
      }
    }
    return found;
  }
}
