package io.holdfast.redis;

import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says what is wrong with an encrypted connection, as far as trying again is of no use. */
final class TlsErrors {

  private TlsErrors() {}

  /** Returns what is wrong and what to do; nothing if it may be another time. */
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
            "it does not let us in (%s). If it wants a certificate of its clients, name one with cert=FILE and key=FILE."
                ::formatted);
  }

  /** Returns what the innermost cause of a kind says: those around it say less. */
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
