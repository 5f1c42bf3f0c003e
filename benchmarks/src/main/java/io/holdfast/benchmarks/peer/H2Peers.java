package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.Contender;
import java.util.List;

/** The peers on H2. */
public final class H2Peers {

  private H2Peers() {}

  /** Returns those of a database whose JDBC URL names the user. */
  public static List<Contender> all(String url) {
    return List.of(new SpringJdbcPeer(url, "h2"), new ShedLockJdbcPeer(url, "TIMESTAMP(3)"));
  }
}
