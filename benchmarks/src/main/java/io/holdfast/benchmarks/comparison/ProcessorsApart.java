package io.holdfast.benchmarks.comparison;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;

/**
 * Keeps the servers that this process has started on the last processor, and this process on the
 * others. Left alone the kernel puts client and server now on one processor, now on two, and a call
 * then takes twice as long one way as the other: a comparison would depend on which way each batch
 * went.
 */
public final class ProcessorsApart implements AutoCloseable {

  private static final int COUNT = Runtime.getRuntime().availableProcessors();

  private final boolean areApart;

  private ProcessorsApart(boolean areApart) {
    this.areApart = areApart;
  }

  /** Moves them apart, if there are servers, and more processors than one. */
  public static ProcessorsApart now() throws IOException, InterruptedException {
    List<ProcessHandle> servers = ProcessHandle.current().descendants().toList();
    if (COUNT < 2 || servers.isEmpty()) {
      return new ProcessorsApart(false);
    }
    for (ProcessHandle server : servers) {
      move(server, Integer.toString(COUNT - 1));
    }
    move(ProcessHandle.current(), "0-" + (COUNT - 2));
    return new ProcessorsApart(true);
  }

  /** All threads of a process, and so all that it makes later. One that has ended stays so. */
  private static void move(ProcessHandle process, String processors)
      throws IOException, InterruptedException {
    new ProcessBuilder(
            "taskset", "--all-tasks", "-p", "-c", processors, Long.toString(process.pid()))
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Gives this process all processors again. */
  @Override
  public void close() throws IOException, InterruptedException {
    if (areApart) {
      move(ProcessHandle.current(), "0-" + (COUNT - 1));
    }
  }
}
