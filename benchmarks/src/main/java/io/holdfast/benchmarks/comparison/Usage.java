package io.holdfast.benchmarks.comparison;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;

/**
 * The usage of this process and its servers so far.
 *
 * @param clientCpuNanos of this process
 * @param serverCpuNanos of the processes that it started and that live; the kernel counts these in
 *     steps of 10 ms
 * @param allocatedBytes of this process's live threads
 */
public record Usage(long clientCpuNanos, long serverCpuNanos, long allocatedBytes) {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Returns what they have used by now. */
  public static Usage now() {
    long serverCpu =
        ProcessHandle.current()
            .descendants()
            .flatMap(process -> process.info().totalCpuDuration().stream())
            .mapToLong(Duration::toNanos)
            .sum();
    long allocated =
        Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
            .filter(bytes -> bytes > 0)
            .sum();
    return new Usage(SYSTEM.getProcessCpuTime(), serverCpu, allocated);
  }
}
