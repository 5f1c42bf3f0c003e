package io.holdfast.tck.mutants.engine;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.error.ClientClosedException;
import io.holdfast.tck.mutants.Mutant;
import io.holdfast.tck.mutants.Spoiling;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Mistakes of acquires for which no thread waits. */
public final class AsyncMutants {

  private static final Duration LONG = Duration.ofDays(1);

  private AsyncMutants() {}

  /** An acquire with a mistake in it. */
  @FunctionalInterface
  private interface Acquire {
    CompletableFuture<Grant> of(LockClient client, DistributedLock lock, AcquireOptions options);
  }

  public static List<Mutant> all() {
    return List.of(
        mutant(
            "cancelling-does-not-withdraw",
            "Whoever ends the future has left the queue",
            (client, lock, options) -> copy(lock.acquireAsync(options)),
            "AsyncRules.whoeverEndsTheFutureHasLeftTheQueue"),
        mutant(
            "late-grant-kept",
            "A grant that finds its future ended is given back",
            AsyncMutants::keepingWhatComesLate,
            "AsyncRules.aGrantThatComesTooLateIsGivenBack"),
        mutant(
            "completed-on-the-engines-thread",
            "A future is completed where the caller says",
            (client, lock, options) ->
                lock.acquireAsync(options).thenApplyAsync(grant -> grant, AsyncMutants::elsewhere),
            "AsyncRules.theFutureIsCompletedWhereTheCallerSays"),
        mutant(
            "asks-on-the-callers-thread",
            "Whoever asks for a future does not wait for the store",
            (client, lock, options) -> CompletableFuture.completedFuture(lock.acquire(options)),
            "AsyncRules.whoeverAsksDoesNotWaitForTheStore"),
        mutant(
            "wait-of-a-future-without-end",
            "The future of a bounded wait fails when its time is up",
            (client, lock, options) ->
                lock.acquireAsync(options.maxWait().isPresent() ? options.maxWait(LONG) : options),
            "AsyncRules.aFutureFailsWhenItsTimeIsUpAndLeavesNothingInTheQueue"),
        mutant(
            "closing-forgets-futures",
            "Closing the client ends the futures that wait",
            AsyncMutants::forgottenWhenClosed,
            "AsyncRules.closingTheClientEndsWhatWaits"));
  }

  private static CompletableFuture<Grant> copy(CompletableFuture<Grant> original) {
    return original.thenApply(grant -> grant);
  }

  /** Withdraws only what waits in the store at that moment. */
  private static CompletableFuture<Grant> keepingWhatComesLate(
      LockClient client, DistributedLock lock, AcquireOptions options) {
    CompletableFuture<Grant> original = lock.acquireAsync(options);
    CompletableFuture<Grant> copy = copy(original);
    CompletableFuture<Grant> unused =
        copy.whenComplete(
            (grant, failure) -> {
              if (client
                  .find(lock.name().value())
                  .filter(record -> record.waiting() > 0)
                  .isPresent()) {
                original.cancel(false);
              }
            });
    return copy;
  }

  private static void elsewhere(Runnable task) {
    Thread thread = new Thread(task, "mutant");
    thread.setDaemon(true);
    thread.start();
  }

  private static CompletableFuture<Grant> forgottenWhenClosed(
      LockClient client, DistributedLock lock, AcquireOptions options) {
    CompletableFuture<Grant> original = lock.acquireAsync(options);
    CompletableFuture<Grant> mutant = new CompletableFuture<>();
    CompletableFuture<Grant> unused =
        original.whenComplete(
            (grant, failure) -> {
              if (grant != null) {
                mutant.complete(grant);
              } else if (!(failure instanceof ClientClosedException)) {
                mutant.completeExceptionally(failure);
              }
            });
    return mutant;
  }

  private static Mutant mutant(String name, String breaks, Acquire acquire, String rejectedBy) {
    return Mutant.ofClient(name, breaks, client -> spoiled(client, acquire), rejectedBy);
  }

  private static LockClient spoiled(LockClient client, Acquire acquire) {
    return Spoiling.method(
        "lock",
        LockClient.class,
        client,
        arguments -> spoiled(client, client.lock((String) arguments.get(0)), acquire));
  }

  private static DistributedLock spoiled(LockClient client, DistributedLock lock, Acquire acquire) {
    return Spoiling.method(
        "acquireAsync",
        DistributedLock.class,
        lock,
        arguments -> acquire.of(client, lock, options(arguments)));
  }

  private static AcquireOptions options(List<Object> arguments) {
    if (arguments.isEmpty()) {
      return AcquireOptions.forever();
    }
    return arguments.get(0) instanceof Duration wait
        ? AcquireOptions.within(wait)
        : (AcquireOptions) arguments.get(0);
  }
}
