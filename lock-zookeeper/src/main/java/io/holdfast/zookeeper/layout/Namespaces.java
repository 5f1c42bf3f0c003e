package io.holdfast.zookeeper.layout;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the namespace's node. The first client writes it, once. */
public final class Namespaces {

  private final Paths paths;
  private final String where;
  private volatile @Nullable Decoded lastDecoded;

  public Namespaces(Paths paths, String where) {
    this.paths = paths;
    this.where = where;
  }

  /**
   * Returns the namespace, and creates it if there is none. Checks that a session of this TTL may
   * be opened in it.
   */
  public Namespace openFor(Call call, NamespaceWish wish, Duration ttl) {
    Namespace namespace = read(call).orElseGet(() -> make(call, wish.orDefaultsFor(ttl)));
    wish.requireMetBy(namespace.settings(), where);
    namespace.settings().requireTtl(ttl);
    return namespace;
  }

  private Namespace make(Call call, NamespaceSettings settings) {
    Optional<Namespace> made = create(call, settings);
    if (made.isPresent()) {
      return made.get();
    }
    NodesAbove.make(call, paths.namespace());
    return create(call, settings)
        .orElseThrow(
            () ->
                new BackendFailure(
                    call.effect(),
                    "The nodes above %s at %s were removed at once."
                        .formatted(paths.namespace(), where),
                    null));
  }

  /** Creates it unless it is there, and reads it; empty if there is no node above it. */
  private Optional<Namespace> create(Call call, NamespaceSettings settings) {
    Pipeline pipeline = call.pipeline();
    pipeline.writeAll(Namespace.creation(paths, Namespace.first(settings), call.rights()));
    Answer<Node> made = pipeline.node(paths.namespace());
    pipeline.awaitAnswers();
    return of(made.value());
  }

  /** Reads it. */
  public Optional<Namespace> read(Call call) {
    Pipeline pipeline = call.pipeline();
    pipeline.sync(paths.namespace());
    Answer<Node> node = pipeline.node(paths.namespace());
    pipeline.awaitAnswers();
    return of(node.value());
  }

  /** Decodes what was read of its node. */
  public Optional<Namespace> of(Optional<Node> node) {
    return node.map(this::decode);
  }

  private Namespace decode(Node node) {
    Decoded last = lastDecoded;
    if (last == null || !last.isOf(node)) {
      Namespace namespace = Namespace.of(node, paths.namespace(), where);
      namespace.settings().requireReadable(where, Namespace.PROTOCOL);
      last = new Decoded(node.data(), namespace);
      lastDecoded = last;
    }
    return last.namespace();
  }

  /** The same bytes are read with each request, and hardly ever others. */
  @SuppressWarnings("ArrayRecordComponent") // As the library has it.
  private record Decoded(byte[] data, Namespace namespace) {
    boolean isOf(Node node) {
      return node.stat().getCzxid() == namespace.zxid() && Arrays.equals(node.data(), data);
    }
  }
}
