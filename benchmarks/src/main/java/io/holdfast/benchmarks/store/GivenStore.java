package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.HoldfastContender;
import io.holdfast.benchmarks.contender.OpenContender;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A store that runs already, and whose adapter is not one of this repository. The best that its
 * driver could do is not known here, so it is compared with Holdfast on the memory of this JVM: a
 * ratio tells the store's addition to the engine.
 *
 * @param uri the one that the adapter takes
 */
public record GivenStore(String uri) implements BenchmarkStore {

  private static final Pattern LOGIN = Pattern.compile("//[^/@]*@");
  private static final Pattern PASSWORD = Pattern.compile("(?i)(password|pwd|secret)=[^&;]*");

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
    return "%s, by an adapter that was named on the command line".formatted(publicly(uri));
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

  /** Returns a text of the command line without logins and passwords. */
  public static String publicly(String text) {
    String withoutLogin = LOGIN.matcher(text).replaceAll("//…@");
    return PASSWORD.matcher(withoutLogin).replaceAll("$1=…");
  }

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
