package io.holdfast.benchmarks.rungs;

import io.holdfast.benchmarks.rungs.SqlStep.Change;
import io.holdfast.benchmarks.rungs.SqlStep.Tells;
import io.holdfast.jdbc.connections.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A statement of a step, prepared once. Its parameters are set once but for those of a request. */
final class SqlCall {

  private final PreparedStatement statement;
  private final Tells tells;
  private final List<OfRequest> ofRequest = new ArrayList<>();

  /** Where a statement has a text that each request has anew. */
  private record OfRequest(int index, String parameter) {}

  /**
   * Prepares a statement.
   *
   * @param fixed the parameters that are the same for each request; all others are of the request
   */
  SqlCall(Connection connection, NamedSql sql, Change change, Map<String, ?> fixed)
      throws SQLException {
    this.tells = change.tells();
    this.statement =
        tells == Tells.KEY
            ? connection.prepareStatement(sql.jdbc(), Statement.RETURN_GENERATED_KEYS)
            : connection.prepareStatement(sql.jdbc());
    for (int i = 0; i < sql.parameters().size(); i++) {
      String parameter = sql.parameters().get(i);
      if (fixed.containsKey(parameter)) {
        statement.setObject(i + 1, fixed.get(parameter));
      } else {
        ofRequest.add(new OfRequest(i + 1, parameter));
      }
    }
  }

  boolean isOfRequest() {
    return !ofRequest.isEmpty();
  }

  /** Executes it, and throws if it says that it has changed nothing. */
  void change(Map<String, String> request) throws SQLException {
    for (OfRequest each : ofRequest) {
      statement.setString(each.index(), request.get(each.parameter()));
    }
    if (!hasChanged()) {
      throw new IllegalStateException("Nothing was changed by " + statement);
    }
  }

  private boolean hasChanged() throws SQLException {
    switch (tells) {
      case COUNT -> {
        return statement.executeUpdate() == 1;
      }
      case KEY -> {
        statement.executeUpdate();
        try (ResultSet keys = statement.getGeneratedKeys()) {
          return keys.next() && keys.getLong(1) > 0;
        }
      }
      case ROW -> {
        // To the end: some databases commit only with the step that finds no further row.
        try (ResultSet rows = statement.executeQuery()) {
          boolean changed = false;
          while (rows.next()) {
            changed = rows.getLong(1) >= 0;
          }
          return changed;
        }
      }
    }
    throw new AssertionError(tells);
  }
}
