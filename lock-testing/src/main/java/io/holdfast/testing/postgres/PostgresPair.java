package io.holdfast.testing.postgres;

import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.testing.server.DatabasePair;

/**
 * A PostgreSQL server, and one that takes its place when it dies: a replica, made when it is
 * needed. Clients are told of both addresses and look for the one that can be written to. Used by
 * one thread at a time.
 */
public final class PostgresPair implements DatabasePair {

  private final String uri;
  private PostgresServer primary;
  private int otherPort;

  private PostgresPair(PostgresServer primary, int otherPort) {
    this.primary = primary;
    this.otherPort = otherPort;
    this.uri =
        "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?user=postgres&targetServerType=primary"
            .formatted(primary.port(), otherPort);
  }

  /** Starts a server with an empty database that goes by a clock of its own. */
  public static PostgresPair launch(ShiftedClock clock) {
    return new PostgresPair(PostgresServer.launch(clock), ServerProcess.freePort());
  }

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public PostgresServer primary() {
    return primary;
  }

  /**
   * Does the last writes, kills the server, and promotes a replica that was cut off before them.
   */
  @Override
  public void failOverLosing(Runnable lastWrites) {
    PostgresServer replica = primary.replicate(otherPort);
    try {
      primary.abandon(replica);
      lastWrites.run();
    } catch (RuntimeException | Error e) {
      replica.close();
      throw e;
    }
    primary.close();
    otherPort = primary.port();
    primary = replica;
    replica.promote();
  }

  @Override
  public void close() {
    primary.close();
  }
}
