package io.holdfast.memory.simulation;

import io.holdfast.engine.seam.Seam;
import io.holdfast.memory.world.InterceptedSeam;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** A process whose threads are {@link SimulatedThreads}: where one waits, the others go on. */
final class SimulatedSeam extends InterceptedSeam {

  private static final Duration LONG = Duration.ofDays(1000);

  private final SimulatedThreads threads;

  SimulatedSeam(Seam seam, SimulatedThreads threads) {
    super(seam);
    this.threads = threads;
  }

  @Override
  public <T> T callHere(Duration timeout, Verb<T> verb) {
    if (!SimulatedThreads.isActor()) {
      return super.callHere(timeout, verb);
    }
    try {
      return verb.call(Deadline.in(timeout, this::nanos));
    } catch (VirtualSeam.Hang hang) {
      threads.pause(timeout);
      throw new BackendFailure(Effect.UNKNOWN, "No answer", hang);
    }
  }

  @Override
  public <T> T await(CompletableFuture<T> future, Duration timeout)
      throws InterruptedException, TimeoutException {
    if (!SimulatedThreads.isActor()) {
      return super.await(future, timeout);
    }
    Thread self = Thread.currentThread();
    boolean done =
        threads.await(
            () -> future.isDone() || self.isInterrupted(),
            timeout.compareTo(LONG) > 0 ? LONG : timeout);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!done) {
      throw new TimeoutException();
    }
    return future.join();
  }
}
