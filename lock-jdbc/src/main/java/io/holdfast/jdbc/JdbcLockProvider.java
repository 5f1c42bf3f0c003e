package io.holdfast.jdbc;

import io.holdfast.jdbc.database.Tables;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.List;
import java.util.Optional;

/**
 * Takes {@code jdbc:sqlite:FILE}, locks in one file for all processes of a machine; {@code
 * jdbc:postgresql://HOST/DATABASE}, {@code jdbc:mariadb://HOST/DATABASE} and {@code
 * jdbc:mysql://HOST/DATABASE}, locks in a database for every process that can connect to it; and
 * {@code jdbc:h2:…}, either of the two. The {@code jdbc:} may be omitted.
 */
public final class JdbcLockProvider implements LockProvider {

  /** Found by {@link java.util.ServiceLoader}. */
  public JdbcLockProvider() {}

  @Override
  public String name() {
    return "jdbc";
  }

  @Override
  public List<String> uriForms() {
    return UriKind.ALL.stream().map(UriKind::form).toList();
  }

  @Override
  public boolean accepts(String uri) {
    return UriKind.find(uri).isPresent();
  }

  @Override
  public Optional<String> ddl(String uri) {
    return UriKind.find(uri)
        .map(kind -> Tables.ddl(kind.dialect(), JdbcUri.of(UriKind.withJdbc(uri)).tablePrefix()));
  }

  @Override
  public Retirement retire(String uri, Deadline deadline) {
    return UriKind.find(uri).orElseThrow().retire(JdbcUri.of(UriKind.withJdbc(uri)), deadline);
  }

  @Override
  public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
    JdbcUri given = JdbcUri.of(UriKind.withJdbc(uri));
    return UriKind.find(uri).orElseThrow().connect(given, given.with(options), deadline);
  }
}
