package io.holdfast.memory.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.memory.PageExamples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/async.md in Java. */
class AsyncExampleTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Path PAGE = Path.of("..", "docs", "async.md");
  private static final Path HERE =
      Path.of("src/test/java/io/holdfast/memory/async/AsyncExampleTest.java");

  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private final Warehouse warehouse = new Warehouse();

  /** What the lock of the example protects. */
  private static final class Warehouse {
    String ship(int order, FencingToken token) {
      return "order " + order + " with a token above 0: " + (token.value() > 0);
    }
  }

  @AfterEach
  void stop() {
    workers.shutdownNow();
  }

  @Test
  void theWorkIsDoneUnderTheGrant() {
    LockClient client = Holdfast.builder().asyncExecutor(workers).connect("memory:async-example");
    try (client) {
      CompletableFuture<String> shipped =
          client
              .lock("orders/42")
              .acquireAsync(Duration.ofSeconds(5))
              .thenApplyAsync(
                  grant -> {
                    try (grant) {
                      return warehouse.ship(42, grant.token());
                    }
                  },
                  workers);
      assertThat(shipped).succeedsWithin(LONG).isEqualTo("order 42 with a token above 0: true");
      assertThat(client.lock("orders/42").tryAcquire()).isPresent();
    }
  }

  @Test
  void whoeverTurnsAwayHoldsNothing() {
    try (LockClient client = Holdfast.connect("memory:async-example-2")) {
      CompletableFuture<Grant> asked = client.lock("orders/42").acquireAsync();
      asked.cancel(false); // Withdraws, unless the future has its grant already:
      CompletableFuture<Void> closed =
          asked.thenAcceptAsync(Grant::close, workers); // then this closes it.
      assertThat(closed.handle((done, cancelled) -> true)).succeedsWithin(LONG);
      assertThat(client.lock("orders/42").tryAcquireAsync(AcquireOptions.within(LONG)))
          .succeedsWithin(LONG)
          .satisfies(granted -> assertThat(granted).isPresent());
    }
  }

  @Test
  void thePageShowsTheseExamples() throws IOException {
    PageExamples.requireIn(HERE, PAGE, 3);
  }
}
