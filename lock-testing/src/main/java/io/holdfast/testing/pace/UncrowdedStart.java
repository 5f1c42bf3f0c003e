package io.holdfast.testing.pace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets a test begin while few threads of the machine wait for a processor.
 *
 * <p>Tests run side by side since they wait more than they compute; those that compute would
 * otherwise all do it at once, each so slowly that a session of seconds lapses although nothing is
 * wrong. The processors have as much to do either way.
 */
public final class UncrowdedStart implements BeforeEachCallback, AfterEachCallback {

  /**
   * Threads that run or wait for a processor, above which no test begins beside another at once.
   */
  private static final int CROWD = Integer.getInteger("holdfast.crowd", 6);

  /** How many more may do so after each second: a machine that others keep busy stops no test. */
  private static final int MORE_EACH_SECOND = 2;

  private static final Duration PAUSE = Duration.ofMillis(10);

  private static final Path LOAD = Path.of("/proc/loadavg");

  /** One test looks at a time: of many that see room at once, all would begin. */
  private static final ReentrantLock LOOKING = new ReentrantLock(true);

  private static final AtomicInteger RUNNING = new AtomicInteger();

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    LOOKING.lockInterruptibly();
    try {
      long since = System.nanoTime();
      while (RUNNING.get() > 0 && runnableThreads() > crowdAfter(System.nanoTime() - since)) {
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
      RUNNING.incrementAndGet();
    } finally {
      LOOKING.unlock();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    RUNNING.decrementAndGet();
  }

  private static double crowdAfter(long nanos) {
    return CROWD + nanos * (double) MORE_EACH_SECOND / TimeUnit.SECONDS.toNanos(1);
  }

  /** Returns the first number of "running/all", the fourth word; none on another system. */
  private static int runnableThreads() throws IOException {
    if (!Files.isReadable(LOAD)) {
      return 0;
    }
    String running = Files.readString(LOAD).split(" ", 5)[3];
    return Integer.parseInt(running.substring(0, running.indexOf('/')));
  }
}
