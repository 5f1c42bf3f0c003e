package io.holdfast.memory.toy;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.memory.toy.ToyEntry.Kind;
import io.holdfast.view.LockView;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A lock of a toy. Its name ends with its number. */
final class ToyLock implements DistributedLock {

  private final ToyClient client;
  private final LockName name;

  ToyLock(ToyClient client, LockName name) {
    this.client = client;
    this.name = name;
  }

  static int number(LockName name) {
    return Integer.parseInt(name.value().substring(name.value().lastIndexOf('/') + 1));
  }

  @Override
  public LockName name() {
    return name;
  }

  @Override
  public Grant acquire(AcquireOptions options) {
    return tryAcquire(options).orElseThrow(() -> new LockTimeoutException(name + " is held"));
  }

  @Override
  public Optional<Grant> tryAcquire(AcquireOptions options) {
    long begin = System.nanoTime();
    while (true) {
      ToySession session = client.session();
      long request =
          ToyEntry.request(session.serials.incrementAndGet(), options.lockDelay().toMillis());
      client.store.tellWhy(session.id, request, options.why());
      client.store.clear(number(name));
      boolean once = options.maxWait().filter(Duration::isZero).isPresent();
      client.store.step(once ? Kind.TRY : Kind.JOIN, number(name), session.id, request);
      try {
        do {
          Optional<Grant> grant = granted(session, request, options);
          if (grant.isPresent()) {
            return grant;
          }
          client.requireOpen();
          client.store.clear(number(name));
          TimeUnit.MILLISECONDS.sleep(once ? 0 : 1);
          if (options.maxWait().isPresent()
              && System.nanoTime() - begin >= options.maxWait().get().toNanos()) {
            leave(session, request);
            return Optional.empty();
          }
        } while (!session.isOver());
      } catch (InterruptedException e) {
        leave(session, request);
        Thread.currentThread().interrupt();
        throw new LockInterruptedException("Interrupted while waiting for " + name, e);
      } catch (ClientClosedException e) {
        leave(session, request);
        throw e;
      }
    }
  }

  @Override
  public CompletableFuture<Grant> acquireAsync(AcquireOptions options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Optional<Grant>> tryAcquireAsync(AcquireOptions options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T, E extends Exception> T call(AcquireOptions options, Task<T, E> task) throws E {
    try (Grant grant = acquire(options)) {
      return task.call(grant);
    }
  }

  @Override
  public LockView asLock(AcquireOptions options) {
    throw new UnsupportedOperationException();
  }

  private Optional<Grant> granted(ToySession session, long request, AcquireOptions options) {
    long token =
        client.store.read(
            state ->
                state.queue(number(name)).stream()
                    .filter(place -> place.is(session.id, request))
                    .mapToLong(ToyState.Place::token)
                    .findFirst()
                    .orElse(0));
    if (token == 0) {
      return Optional.empty();
    }
    ToyGrant grant =
        new ToyGrant(client.store, client.flaw, name, session, request, token, options);
    session.add(grant);
    return Optional.of(grant);
  }

  private void leave(ToySession session, long request) {
    if (client.flaw != Flaw.FORGETS_TO_LEAVE_THE_QUEUE) {
      client.store.step(Kind.LEAVE, number(name), session.id, request);
    }
  }
}
