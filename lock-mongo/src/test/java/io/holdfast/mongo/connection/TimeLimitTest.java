package io.holdfast.mongo.connection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of an operation on a thread of ours, where the driver keeps no time. */
class TimeLimitTest {

  private static void requireThrown(Throwable failure) {
    assertThatThrownBy(() -> TimeLimit.outcome(CompletableFuture.failedFuture(failure)))
        .isSameAs(failure);
  }

  /** Else it would be taken for a closed connection, on which nothing was sent. */
  @Test
  void anErrorInTheOperationReachesTheCaller() {
    requireThrown(new StackOverflowError());
  }

  @Test
  void anExceptionOfTheOperationReachesTheCaller() {
    requireThrown(new IllegalArgumentException());
  }
}
