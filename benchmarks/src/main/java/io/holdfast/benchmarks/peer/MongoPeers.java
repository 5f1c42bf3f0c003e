package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.Contender;
import java.util.List;

/** The peers on MongoDB. */
public final class MongoPeers {

  private MongoPeers() {}

  /** Returns those of a server, given as {@code mongodb://HOST:PORT}. */
  public static List<Contender> all(String uri) {
    return List.of(new ShedLockMongoPeer(uri));
  }
}
