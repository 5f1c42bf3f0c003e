package io.holdfast.tck.process.client;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

/**
 * A sequence of numbers that processes of one machine append to, in memory mapped from a file.
 *
 * <p>An entry is made by one compare-and-set and never changes. So there is no lock that a process
 * could keep when it is stopped, nothing half-written when it is killed, and nothing that an
 * interrupt breaks off. Thread-safe.
 */
public final class SharedLog {

  private static final VarHandle ENTRY =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final Path file;
  private final ByteBuffer memory;

  private SharedLog(Path file, ByteBuffer memory) {
    this.file = file;
    this.memory = memory;
  }

  /** Opens a log, made empty if there is none yet. Not to be called by interrupted threads. */
  public static SharedLog open(Path file, int entriesMax) {
    long bytes = (long) entriesMax * Long.BYTES;
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      return new SharedLog(file, opened.getChannel().map(MapMode.READ_WRITE, 0, bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns an entry, or 0 if the log has not got that far. */
  public long get(int index) {
    return (long) ENTRY.getVolatile(memory, offset(index));
  }

  /**
   * Makes an entry, to be called only when the one before it is there.
   *
   * @param entry not 0
   * @return false if another process has made this entry
   */
  public boolean put(int index, long entry) {
    return ENTRY.compareAndSet(memory, offset(index), 0L, entry);
  }

  private int offset(int index) {
    int offset = Math.multiplyExact(index, Long.BYTES);
    if (offset >= memory.capacity()) {
      throw new IllegalStateException("The log %s is full.".formatted(file));
    }
    return offset;
  }
}
