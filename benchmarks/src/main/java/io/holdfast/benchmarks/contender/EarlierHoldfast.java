package io.holdfast.benchmarks.contender;

/**
 * An earlier version of Holdfast, with its defaults, beside the present one. A peer, so that each
 * table shows both beside each other.
 *
 * @param version which one
 * @param uri a namespace that no other version uses
 */
public record EarlierHoldfast(EarlierVersion version, String uri) implements Contender {

  @Override
  public String name() {
    return "Holdfast before";
  }

  @Override
  public Role role() {
    return Role.PEER;
  }

  @Override
  public String settings() {
    return "%s, from a class loader of its own, its %s"
        .formatted(version.description(), PublicUri.settings(uri, "acquire() and release()"));
  }

  @Override
  public OpenContender open(int threads) throws Exception {
    return version.connect(uri);
  }
}
