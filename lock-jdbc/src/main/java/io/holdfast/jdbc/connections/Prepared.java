package io.holdfast.jdbc.connections;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A statement, how often it was executed, and which parameter stands where. */
final class Prepared {

  final PreparedStatement statement;
  int executions;

  private final String[] parameters;

  /** The values that the last execution has left in them, where they are in force still. */
  private final @Nullable Object[] values;

  Prepared(PreparedStatement statement, List<String> parameters) {
    this.statement = statement;
    this.parameters = parameters.toArray(new String[0]);
    this.values = new @Nullable Object[parameters.size()];
  }

  /**
   * Sets the parameters that have changed: most are the same from call to call.
   *
   * @param ofVerb go before those that are given
   */
  void bind(Map<String, ?> ofVerb, Map<String, String> given) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      @Nullable Object own = ofVerb.get(parameters[i]);
      @Nullable Object value = own == null ? given.get(parameters[i]) : own;
      if (value == null) {
        throw new IllegalStateException("The statement has no value for :" + parameters[i]);
      }
      if (!isSame(value, values[i])) {
        values[i] = null; // In case that setting it fails.
        set(i + 1, value);
        values[i] = value;
      }
    }
  }

  private static boolean isSame(Object value, @Nullable Object before) {
    return value instanceof byte[] bytes
        ? before instanceof byte[] others && Arrays.equals(bytes, others)
        : value.equals(before);
  }

  /** By its type: some drivers look through all types that they know for that of an object. */
  private void set(int index, Object value) throws SQLException {
    if (value instanceof String text) {
      statement.setString(index, text);
    } else if (value instanceof Long number) {
      statement.setLong(index, number);
    } else if (value instanceof Integer number) {
      statement.setInt(index, number);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(index, bytes);
    } else {
      statement.setObject(index, value);
    }
  }
}
