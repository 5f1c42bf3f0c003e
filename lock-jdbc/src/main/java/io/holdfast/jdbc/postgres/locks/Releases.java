package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockName;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LocksSeen;
import io.holdfast.jdbc.postgres.locks.Removals.Removal;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The verbs by which a session gives a request of its own back. */
final class Releases {

  private final LocksSeen crowded;

  Releases(LocksSeen crowded) {
    this.crowded = crowded;
  }

  Released release(DatabaseConnection connection, LockName name, RequestId request)
      throws SQLException {
    Map<String, Object> parameters = Map.of("name", name.bytes(), "leaver", request.toString());
    if (!crowded.contains(name)) {
      Optional<Released> left =
          connection.change(
              LeaveStatements.LEAVE,
              parameters,
              row -> row.getLong("run") == 0 ? Released.FREED : Released.SHARED);
      if (left.isPresent()) {
        return left.get();
      }
    }
    Released released =
        Removals.remove(connection, LeaveStatements.RELEASE, parameters)
            .flatMap(Removal::released)
            .orElse(Released.NOTHING);
    switch (released) {
      case FREED -> crowded.remove(name);
      case HANDED_ON, SHARED -> crowded.add(name);
      default -> {}
    }
    return released;
  }

  /** Gives a request back so that it keeps its lock for a while. */
  Released releaseAfter(DatabaseConnection connection, RequestKey key, Duration stay)
      throws SQLException {
    if (StayChanges.bury(connection, key, stay)) {
      return Released.STAYS;
    }
    Released released = release(connection, key.name(), key.request());
    // A copy of this may have been faster.
    return released == Released.NOTHING && StayChanges.bury(connection, key, stay)
        ? Released.STAYS
        : released;
  }
}
