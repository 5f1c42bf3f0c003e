package io.holdfast.jdbc;

import io.holdfast.spi.Attempt;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Released;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** For databases whose statements return the row that they have changed. */
record RowAnswers(StandardDialect dialect) implements Answers {

  @Override
  public Optional<Instant> openSession(Link link, Map<String, ?> parameters) throws SQLException {
    return link.change(
        dialect.openSession(), parameters, row -> StoreTime.instant(row.getLong("renewed")));
  }

  @Override
  public Optional<Alive> renew(Link link, Map<String, ?> parameters) throws SQLException {
    return link.change(
        dialect.renew(),
        parameters,
        row -> new Alive(row.getLong("ttl"), row.getString("notices"), row.getLong("renewed")));
  }

  @Override
  public Optional<Attempt> grab(Link link, Map<String, ?> parameters) throws SQLException {
    return link.change(
        dialect.grab(),
        parameters,
        row ->
            row.getBoolean("granted")
                ? granted(row, Contention.NOBODY_WAITS)
                : new Attempt.Queued());
  }

  @Override
  public Optional<Attempt> overtake(Link link, Map<String, ?> parameters) throws SQLException {
    return link.change(
            dialect.overtake(),
            parameters,
            row ->
                row.getBoolean("granted")
                    ? Optional.of(granted(row, Contention.NOT_KNOWN))
                    : Optional.<Attempt>empty())
        .flatMap(attempt -> attempt);
  }

  private static Attempt granted(ResultSet row, Contention contention) throws SQLException {
    return new Attempt.Granted(
        row.getLong("number"), StoreTime.instant(row.getLong("since")), contention);
  }

  @Override
  public Released release(Link link, Map<String, ?> parameters) throws SQLException {
    return link.change(
            dialect.release(),
            parameters,
            row -> {
              if (!row.getBoolean("was_head")) {
                return Released.WAS_WAITING;
              }
              return row.getBoolean("empty") ? Released.FREED : Released.HANDED_ON;
            })
        .orElse(Released.NOTHING);
  }

  @Override
  public Optional<Long> markRevoked(Link link, Map<String, ?> parameters) throws SQLException {
    return link.change(dialect.markRevoked(), parameters, row -> row.getLong("remaining"));
  }
}
