package io.holdfast.memory.world;

import io.holdfast.engine.seam.Seam;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A seam that passes everything on; what extends it does something else with some of it. */
public class InterceptedSeam implements Seam {
  public final Seam seam;

  public InterceptedSeam(Seam seam) {
    this.seam = seam;
  }

  @Override
  public long nanos() {
    return seam.nanos();
  }

  @Override
  public long wallMillis() {
    return seam.wallMillis();
  }

  @Override
  public Timer after(long delayNanos, Runnable task) {
    return seam.after(delayNanos, task);
  }

  @Override
  public <T> void call(
      Runner runner,
      Duration timeout,
      Verb<T> verb,
      Consumer<T> onValue,
      Consumer<RuntimeException> onFailure) {
    seam.call(runner, timeout, verb, onValue, onFailure);
  }

  @Override
  public <T> T callHere(Duration timeout, Verb<T> verb) {
    return seam.callHere(timeout, verb);
  }

  @Override
  public void tell(Object listener, Runnable notification) {
    seam.tell(listener, notification);
  }

  @Override
  public <T> T await(CompletableFuture<T> future, Duration timeout)
      throws InterruptedException, TimeoutException {
    return seam.await(future, timeout);
  }

  @Override
  public Timer onExit(Runnable task) {
    return seam.onExit(task);
  }

  @Override
  public void close() {
    seam.close();
  }
}
