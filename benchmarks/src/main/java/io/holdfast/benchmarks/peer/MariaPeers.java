package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.Contender;
import java.util.List;

/** The peers on MariaDB. */
public final class MariaPeers {

  private MariaPeers() {}

  /** Returns those of a database whose JDBC URL names the user. */
  public static List<Contender> all(String url) {
    return List.of(
        new SpringJdbcPeer(url, "mysql"),
        new ShedLockJdbcPeer(url, "TIMESTAMP(3)"),
        new NamedLockPeer(url));
  }
}
