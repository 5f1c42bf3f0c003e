package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.HoldfastContender;
import io.holdfast.benchmarks.contender.OpenContender;
import io.holdfast.benchmarks.contender.PublicUri;
import java.util.List;

/**
 * A store that runs already, and whose adapter is not one of this repository. The best that its
 * driver could do is not known here, so it is compared with Holdfast on the memory of this JVM: a
 * ratio tells the store's addition to the engine.
 *
 * @param uri the one that the adapter takes
 */
public record GivenStore(String uri) implements BenchmarkStore {

  /** Returns its name in the reports: the scheme of its URI. */
  public String label() {
    return "given-" + uri.replaceAll("[^A-Za-z0-9+.-].*", "");
  }

  @Override
  public String earlierUri() {
    throw new IllegalArgumentException(
        "An earlier version needs a namespace of its own, and only one is known of %s."
            .formatted(label()));
  }

  @Override
  public String description() {
    return "%s, by an adapter that was named on the command line".formatted(PublicUri.of(uri));
  }

  @Override
  public List<Contender> contenders() {
    return List.of(new InMemory(), new HoldfastContender(uri));
  }

  @Override
  public String reference() {
    return "Holdfast on the memory of this JVM";
  }

  /** Nothing was started for it. */
  @Override
  public void close() {}

  private record InMemory() implements Contender {

    private static final HoldfastContender HOLDFAST = new HoldfastContender("memory:reference");

    @Override
    public String name() {
      return "Holdfast on memory";
    }

    @Override
    public Role role() {
      return Role.LIMIT;
    }

    @Override
    public String settings() {
      return HOLDFAST.settings();
    }

    @Override
    public OpenContender open(int threads) {
      return HOLDFAST.open(threads);
    }
  }
}
