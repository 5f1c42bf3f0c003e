package io.holdfast.testing.mariadb;

import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.testing.server.DatabasePair;

/**
 * A MariaDB server, and one that takes its place when it dies: made when it is needed, from what
 * the first one has then. Clients are told of both addresses. Used by one thread at a time.
 */
public final class MariaPair implements DatabasePair {

  private final int firstPort;
  private final int secondPort;
  private MariaServer primary;

  private MariaPair(MariaServer primary, int otherPort) {
    this.firstPort = primary.port();
    this.secondPort = otherPort;
    this.primary = primary;
  }

  /** Starts a server with an empty database that goes by a clock of its own. */
  public static MariaPair launch(ShiftedClock clock) {
    return new MariaPair(MariaServer.launch(clock), ServerProcess.freePort());
  }

  @Override
  public String uri() {
    return "jdbc:mariadb://127.0.0.1:%d,127.0.0.1:%d/app?user=root"
        .formatted(firstPort, secondPort);
  }

  @Override
  public MariaServer primary() {
    return primary;
  }

  /** Does the last writes, kills the server, and starts one that has not received them. */
  @Override
  public void failOverLosing(Runnable lastWrites) {
    MariaServer replica = primary.copy(primary.port() == firstPort ? secondPort : firstPort);
    try {
      lastWrites.run();
      primary.close();
      replica.start();
    } catch (RuntimeException | Error e) {
      replica.close();
      throw e;
    }
    primary = replica;
  }

  @Override
  public void close() {
    primary.close();
  }
}
