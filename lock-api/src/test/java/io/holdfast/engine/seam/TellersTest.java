package io.holdfast.engine.seam;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Notifications that throw. */
class TellersTest {

  private static final int THREADS = 2;

  @Test
  void theyCostNoThreadAndTheirListenerIsToldTheNext() throws Exception {
    CountDownLatch told = new CountDownLatch(2 * THREADS);
    Tellers tellers =
        new Tellers(
            task -> {
              Thread thread = new Thread(task);
              thread.setDaemon(true);
              return thread;
            },
            THREADS,
            Runnable::run);
    for (int i = 0; i < 2 * THREADS; i++) {
      Object listener = new Object();
      tellers.tell(
          listener,
          () -> {
            throw new StackOverflowError("(test)");
          });
      tellers.tell(listener, told::countDown);
    }
    assertThat(told.await(60, TimeUnit.SECONDS)).as("that all are told the second thing").isTrue();
    tellers.close();
  }
}
