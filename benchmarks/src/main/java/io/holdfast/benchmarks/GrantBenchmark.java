package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.jdbc.BareStatements;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A lock that nobody else wants, taken and given back: by a client of a store in memory, which is
 * the engine's own share; by a client of an SQLite file; and by the two statements alone that the
 * latter sends, over a bare connection.
 */
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class GrantBenchmark {

  /** A store in memory. */
  @State(Scope.Benchmark)
  public static class Memory {
    private LockClient client;
    private DistributedLock lock;

    /** Connects. */
    @Setup
    public void connect() {
      client = Stores.memory();
      lock = client.lock("uncontended");
    }

    /** Closes. */
    @TearDown
    public void close() {
      client.close();
    }
  }

  /** A lock file. */
  @State(Scope.Benchmark)
  public static class Sqlite {
    private final ScratchFile file = new ScratchFile();
    private LockClient client;
    private DistributedLock lock;

    /** Connects. */
    @Setup
    public void connect() {
      client = Holdfast.connect(file.uri());
      lock = client.lock("uncontended");
    }

    /** Closes. */
    @TearDown
    public void close() {
      client.close();
      file.close();
    }
  }

  /** A lock file, and a connection past the library. */
  @State(Scope.Benchmark)
  public static class Bare {
    private final ScratchFile file = new ScratchFile();
    private BareStatements statements;

    /** Has the adapter make the file and a session, then connects. */
    @Setup
    public void connect() throws SQLException {
      statements = BareStatements.connect(file.path());
    }

    /** Closes. */
    @TearDown
    public void close() throws SQLException {
      statements.close();
      file.close();
    }
  }

  /** The engine and a store that costs next to nothing. */
  @Benchmark
  public FencingToken memory(Memory memory) {
    try (Grant grant = memory.lock.acquire()) {
      return grant.token();
    }
  }

  /** The engine and the adapter. */
  @Benchmark
  public FencingToken sqlite(Sqlite sqlite) {
    try (Grant grant = sqlite.lock.acquire()) {
      return grant.token();
    }
  }

  /** The same two statements, prepared once, without either. */
  @Benchmark
  public long sqliteStatements(Bare bare) throws SQLException {
    long number = bare.statements.grab();
    bare.statements.release();
    return number;
  }
}
