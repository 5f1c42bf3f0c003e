package io.holdfast.zookeeper;

import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;

/** The namespace's node: written once, by whoever comes first. */
final class Namespaces {

  private static final byte[] NOTHING = {};

  private final Paths paths;
  private final String where;

  Namespaces(Paths paths, String where) {
    this.paths = paths;
    this.where = where;
  }

  /**
   * Returns the namespace, made if there is none, after checking that a session of this TTL may be
   * opened in it.
   */
  Namespace openFor(Steps steps, NamespaceWish wish, Duration ttl) {
    Namespace namespace = read(steps).orElseGet(() -> make(steps, wish.orDefaultsFor(ttl)));
    wish.requireMetBy(namespace.settings(), where);
    namespace.settings().requireTtl(ttl);
    return namespace;
  }

  private Namespace make(Steps steps, NamespaceSettings settings) {
    makeAbove(steps, paths.namespace());
    Flight flight = steps.flight();
    flight.create(paths.namespace(), Namespace.encode(settings), CreateMode.PERSISTENT);
    Answer<Node> made = flight.node(paths.namespace());
    flight.land();
    return of(made.value()).orElseThrow();
  }

  /** Makes the nodes above another where they are missing. */
  static void makeAbove(Steps steps, String path) {
    Flight flight = steps.flight();
    Paths.above(path).forEach(above -> flight.create(above, NOTHING, CreateMode.PERSISTENT));
    flight.land();
  }

  /** Reads it. */
  Optional<Namespace> read(Steps steps) {
    Flight flight = steps.flight();
    flight.sync(paths.namespace());
    Answer<Node> node = flight.node(paths.namespace());
    flight.land();
    return of(node.value());
  }

  /** Makes sense of what was read of its node. */
  Optional<Namespace> of(Optional<Node> node) {
    Optional<Namespace> namespace =
        node.map(present -> Namespace.of(present, paths.namespace(), where));
    namespace.ifPresent(present -> present.settings().requireReadable(where));
    return namespace;
  }
}
