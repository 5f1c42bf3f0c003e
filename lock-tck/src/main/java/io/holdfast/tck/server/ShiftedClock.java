package io.holdfast.tck.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;

/**
 * A wall clock that can be set while processes use it. It is right at first, and a step is seen by
 * all processes at once. Their monotonic clock stays as it is. Thread-safe.
 *
 * <p>A process uses it if it is started with {@link #environment()} and asks the C library for the
 * time: most programs do, programs in Go do not. A process that sleeps until an instant of the wall
 * clock sleeps by the true one.
 */
public final class ShiftedClock implements AutoCloseable {

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final String VARIABLE = "HOLDFAST_CLOCK";

  private final Path file;
  private final ByteBuffer offsetNanos;

  private ShiftedClock(Path file, ByteBuffer offsetNanos) {
    this.file = file;
    this.offsetNanos = offsetNanos;
  }

  /** Makes a clock that shows the right time. Needs a C compiler, once in a JVM. */
  public static ShiftedClock make() {
    try {
      Path file = Files.createTempFile("holdfast-clock-", null);
      Leftovers.add(file);
      // Servers that refuse to be run by root are another user's.
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
      return mapped(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the clock that this process was started with. */
  public static ShiftedClock ofThisProcess() {
    String file = System.getenv(VARIABLE);
    if (file == null) {
      throw new IllegalStateException("This process has the clock of its machine.");
    }
    return mapped(Path.of(file));
  }

  private static ShiftedClock mapped(Path file) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new ShiftedClock(file, channel.map(MapMode.READ_WRITE, 0, Long.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the environment variables with which a process uses this clock. */
  public Map<String, String> environment() {
    return Map.of("LD_PRELOAD", ClockLibrary.FILE.toString(), VARIABLE, file.toString());
  }

  /** Sets it forward, or back by a negative duration. */
  public void step(Duration by) {
    LONG.getAndAdd(offsetNanos, 0, by.toNanos());
  }

  /** Sets it right. */
  public void setRight() {
    LONG.setVolatile(offsetNanos, 0, 0L);
  }

  /** Deletes its file, which running processes do not need any more. */
  @Override
  public void close() {
    Tools.delete(file);
  }
}
