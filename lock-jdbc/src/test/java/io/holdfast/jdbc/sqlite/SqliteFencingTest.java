package io.holdfast.jdbc.sqlite;

import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.rules.JdbcFencingRules;
import io.holdfast.jdbc.rules.Orders;
import io.holdfast.tck.adapter.PausedWriterRules;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.report.Adapter;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Tokens in a table of an application's file, which has its locks too. */
@Adapter("sqlite")
class SqliteFencingTest implements JdbcFencingRules, PausedWriterRules {

  @TempDir private Path directory;

  @Override
  public Class<? extends FencedResource> resource() {
    return Orders.class;
  }

  @Override
  public String place() {
    return LockFile.in(directory).uri();
  }
}
