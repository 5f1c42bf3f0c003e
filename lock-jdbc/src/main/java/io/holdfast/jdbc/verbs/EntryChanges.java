package io.holdfast.jdbc.verbs;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.StoredStay;
import java.sql.SQLException;
import java.util.Map;

/** Changes the entries of holders, by compare-and-set on the text of an entry as it was read. */
final class EntryChanges {

  private final QueueTextDialect dialect;

  EntryChanges(QueueTextDialect dialect) {
    this.dialect = dialect;
  }

  /** Puts another entry in the place of a holder's; returns false if that has changed since. */
  boolean replace(DatabaseConnection connection, LockRow lock, Entry holder, Entry by)
      throws SQLException {
    return holder.equals(by)
        || connection.change(
                dialect.replaceEntry(),
                Map.of(
                    "name", lock.name().bytes(),
                    "number", lock.number(),
                    "old", holder.text(),
                    "new", by.text(),
                    "longer", by.text().length() - holder.text().length()))
            > 0;
  }

  /**
   * Lets the stays of a lock's holders begin again that are of another clock: without this they
   * would not be over when they have lasted for as long as they should. Returns how many have.
   */
  int beginAnew(DatabaseConnection connection, LockRow lock, Judge judge) throws SQLException {
    int begun = 0;
    for (Entry holder : lock.doubtful(judge)) {
      StoredStay stay = holder.stay().orElseThrow();
      Entry anew = holder.with(judge.begin(stay.reason(), stay.duration()));
      begun += replace(connection, lock, holder, anew) ? 1 : 0;
    }
    return begun;
  }
}
