package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.Contender;
import java.util.List;

/** The peers on PostgreSQL. */
public final class PostgresPeers {

  private PostgresPeers() {}

  /** Returns those of a database whose JDBC URL names the user. */
  public static List<Contender> all(String url) {
    return List.of(
        new SpringJdbcPeer(url, "postgresql"),
        new ShedLockJdbcPeer(url, "TIMESTAMP"),
        new AdvisoryLockPeer(url));
  }
}
