package io.holdfast.engine.connect;

import io.holdfast.error.BadRequestException;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendFactory;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Finds the adapters on the class path and the one that takes a URI. */
public final class Providers {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration RETIREMENT_TIMEOUT = Duration.ofSeconds(30);

  /** Schemes that are understood without {@code jdbc:} in front. */
  private static final Set<String> JDBC_SCHEMES =
      Set.of("sqlite:", "postgresql:", "mariadb:", "mysql:", "h2:");

  /** So many that cannot be loaded are passed over. */
  private static final int BROKEN_MAX = 100;

  private Providers() {}

  /** Returns every provider on the class path that can be loaded. */
  public static List<LockProvider> all() {
    List<LockProvider> all = new ArrayList<>();
    Iterator<LockProvider> found = ServiceLoader.load(LockProvider.class, loader()).iterator();
    int broken = 0;
    while (broken < BROKEN_MAX) {
      try {
        if (!found.hasNext()) {
          break;
        }
        all.add(found.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        // The adapter of another store, most likely: it needs a newer Java, or a jar that is
        // missing.
        broken++;
        // A command that starts reads no service files for a logger that it does not need yet.
        LoggerFactory.getLogger("io.holdfast")
            .warn("An adapter on the class path cannot be loaded", e);
      }
    }
    return List.copyOf(all);
  }

  /**
   * Returns the loader of the thread, as a container sets it. In a pool of the JDK's that is one
   * which knows nothing of an application in one jar: then it is the one of this library.
   */
  private static @Nullable ClassLoader loader() {
    ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
    return ofThread != null && isKnownTo(ofThread) ? ofThread : LockProvider.class.getClassLoader();
  }

  private static boolean isKnownTo(ClassLoader loader) {
    try {
      return Class.forName(LockProvider.class.getName(), false, loader) == LockProvider.class;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Connects to the store that the URI names, through the one provider that takes it. */
  public static LockBackend connect(String uri, BackendOptions options) {
    LockProvider provider = providerOf(uri);
    UriSettings settings = UriSettings.of(uri, options);
    return connect(
        (given, deadline) -> provider.connect(settings.uri(), given, deadline), settings.options());
  }

  /** Has the one provider that takes the URI retire what an older version has stored there. */
  public static Retirement retire(String uri) {
    LockProvider provider = providerOf(uri);
    String bare = UriSettings.of(uri, BackendOptions.DEFAULTS).uri();
    return reaching("Cannot retire", () -> provider.retire(bare, Deadline.in(RETIREMENT_TIMEOUT)));
  }

  /** Connects to the store of a factory. */
  public static LockBackend connect(BackendFactory factory, BackendOptions options) {
    return reaching("Cannot connect", () -> factory.connect(options, Deadline.in(CONNECT_TIMEOUT)));
  }

  private static <T> T reaching(String what, Supplier<T> call) {
    try {
      return call.get();
    } catch (BackendFailure e) {
      throw e.toApplication(what);
    }
  }

  private static LockProvider providerOf(String uri) {
    List<LockProvider> all = all();
    List<LockProvider> takers = new ArrayList<>();
    for (LockProvider provider : all) {
      if (provider.accepts(uri)) {
        takers.add(provider);
      }
    }
    if (takers.size() == 1) {
      return takers.get(0);
    }
    String scheme = scheme(uri);
    if (takers.isEmpty()) {
      throw new BadRequestException(
          all.isEmpty()
              ? "There is no Holdfast adapter on the class path. Add the one for your store: %s."
                  .formatted(jarFor(scheme))
              : "No adapter on the class path takes a URI that begins with \"%s\"; there are %s. Add the jar %s."
                  .formatted(
                      scheme,
                      all.stream().map(LockProvider::name).collect(Collectors.joining(", ")),
                      jarFor(scheme)));
    }
    throw new BadRequestException(
        "Several adapters on the class path take a URI that begins with \"%s\": %s. Leave only one of them."
            .formatted(scheme, names(takers)));
  }

  private static String names(List<LockProvider> providers) {
    return providers.stream()
        .map(
            provider ->
                "%s (%s; for %s)"
                    .formatted(
                        provider.name(),
                        provider.getClass().getName(),
                        String.join(", ", provider.uriForms())))
        .collect(Collectors.joining(", "));
  }

  /** Cuts a URI after its scheme: the rest may have a password. */
  private static String scheme(String uri) {
    int end = uri.startsWith("jdbc:") ? uri.indexOf(':', 5) : uri.indexOf(':');
    return end < 0 ? uri : uri.substring(0, end + 1);
  }

  private static String jarFor(String scheme) {
    if (scheme.startsWith("jdbc:") || JDBC_SCHEMES.contains(scheme)) {
      return "lock-jdbc, with the driver of the database";
    }
    return switch (scheme) {
      case "redis:",
          "rediss:",
          "redis-sentinel:",
          "rediss-sentinel:",
          "redis-cluster:",
          "rediss-cluster:" ->
          "lock-redis";
      case "etcd:", "etcds:" -> "lock-etcd";
      case "zookeeper:", "zookeepers:" -> "lock-zookeeper";
      case "mongodb:", "mongodb+srv:" -> "lock-mongo";
      case "memory:" -> "lock-memory";
      default -> "of the adapter that you need, or mend the URI";
    };
  }
}
