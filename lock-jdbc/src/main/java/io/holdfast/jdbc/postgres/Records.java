package io.holdfast.jdbc.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.Waiter;
import io.holdfast.jdbc.connections.DatabaseConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The verbs that show locks with all that wait for them. */
final class Records {

  /** Greater than every byte of UTF-8, so that a prefix and this is above all that begins so. */
  private static final byte ABOVE = (byte) 0xff;

  private Records() {}

  static Optional<LockRecord> inspect(DatabaseConnection connection, LockName name)
      throws SQLException {
    return connection
        .read(RecordStatements.INSPECT, Map.of("name", name.bytes()), Records::read)
        .stream()
        .findFirst();
  }

  static List<LockRecord> list(
      DatabaseConnection connection, String prefix, Optional<LockName> after, int limit)
      throws SQLException {
    byte[] begin = LockName.utf8("The prefix", prefix);
    byte[] high = Arrays.copyOf(begin, begin.length + 1);
    high[begin.length] = ABOVE;
    byte[] low = after.map(Records::successor).orElse(begin);
    Map<String, Object> parameters =
        Map.of(
            "low",
            Arrays.compareUnsigned(low, begin) > 0 ? low : begin,
            "high",
            high,
            "limit",
            limit);
    return connection.read(RecordStatements.LIST, parameters, Records::read);
  }

  /** Returns the least of the bytes that come after a name. */
  private static byte[] successor(LockName name) {
    byte[] bytes = name.bytes();
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  private static LockRecord read(ResultSet row) throws SQLException {
    return HolderRow.read(row).with(waiters(row));
  }

  private static List<Waiter> waiters(ResultSet row) throws SQLException {
    String[] requests = (String[]) row.getArray("waiting").getArray();
    String[] modes = (String[]) row.getArray("modes").getArray();
    String[] processes = (String[]) row.getArray("processes").getArray();
    byte[][] whys = (byte[][]) row.getArray("whys").getArray();
    List<Waiter> waiters = new ArrayList<>(requests.length);
    for (int i = 0; i < requests.length; i++) {
      waiters.add(
          new Waiter(
              RequestId.parse(requests[i]),
              Entry.mode(modes[i]),
              new ProcessIdentity(processes[i]),
              new String(whys[i], UTF_8)));
    }
    return waiters;
  }
}
