package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.memory.world.World;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thread is interrupted in the call that it makes for all who wait behind it. */
class InterruptedNeighbourTest {

  private static final Duration WAIT = Duration.ofMillis(300);

  private final World world = new World(Wakeup.PUSH);
  private final World.Peer process = world.process();

  @AfterEach
  void noInterruptIsLeftForTheNextTest() {
    boolean unused = Thread.interrupted();
  }

  /** As an adapter fails whose caller is interrupted while it waits for a connection. */
  private static BackendFailure interrupted() {
    Thread.currentThread().interrupt();
    return new BackendFailure(
        Effect.NONE, "Interrupted while waiting for a connection", new InterruptedException());
  }

  /** Nor are those told who only have to wait for the next attempt. */
  @Test
  void whoseTimeEndsMeanwhileIsNotToldThatTheStoreCannotBeReached() {
    process.client.lock("opens the session").acquire();
    List<CompletableFuture<Grant>> behind = new ArrayList<>();
    process.network =
        sent -> {
          if (!sent.is("grab")) {
            return sent.pass();
          }
          if (!behind.isEmpty()) {
            throw new VirtualSeam.Hang();
          }
          behind.add(process.client.lock("a").acquireAsync(AcquireOptions.within(WAIT)));
          throw interrupted();
        };

    assertThatThrownBy(() -> process.client.lock("a").acquire())
        .isInstanceOf(LockInterruptedException.class);

    assertThat(Thread.interrupted()).isTrue();
    world.time.advance(WAIT);
    assertThat(behind).hasSize(1);
    assertThatThrownBy(() -> behind.get(0).join()).hasCauseInstanceOf(LockTimeoutException.class);
  }
}
