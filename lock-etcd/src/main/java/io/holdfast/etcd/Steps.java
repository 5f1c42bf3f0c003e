package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.lease.LeaseTimeToLiveResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.LeaseOption;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The requests of one verb, one after the other, each answered before its deadline or given up. */
final class Steps {

  private final EtcdLink link;
  private final Deadline deadline;
  private boolean sent;
  private boolean changed;

  Steps(EtcdLink link, Deadline deadline) {
    this.link = link;
    this.deadline = deadline;
  }

  /** Reads, from what the quorum has. */
  TxnResponse read(List<Op> reads) {
    return require(client -> commit(client, List.of(), reads, List.of()));
  }

  /** Changes the one, or reads the other. */
  TxnResponse txn(List<Cmp> when, List<Op> then, List<Op> otherwise) {
    TxnResponse answer = require(client -> commit(client, when, then, otherwise));
    changed |= answer.isSucceeded();
    return answer;
  }

  /** Changes the one, or reads the other; empty if it names a lease that is over. */
  Optional<TxnResponse> txnUnlessLeaseGone(List<Cmp> when, List<Op> then, List<Op> otherwise) {
    Optional<TxnResponse> answer = unlessLeaseGone(client -> commit(client, when, then, otherwise));
    changed |= answer.filter(TxnResponse::isSucceeded).isPresent();
    return answer;
  }

  /** Returns what the verb throws if it fails so: an earlier request may have been done. */
  RuntimeException halfway(RuntimeException failure) {
    return changed ? BackendFailure.halfway(failure) : failure;
  }

  private static CompletableFuture<TxnResponse> commit(
      Client client, List<Cmp> when, List<Op> then, List<Op> otherwise) {
    return client
        .getKVClient()
        .txn()
        .If(when.toArray(Cmp[]::new))
        .Then(then.toArray(Op[]::new))
        .Else(otherwise.toArray(Op[]::new))
        .commit();
  }

  /** Reads a range. */
  GetResponse range(Keys.Range range) {
    return require(client -> client.getKVClient().get(range.from(), Ops.ofRange(range)));
  }

  /** Reads the keys of a range, so many at most, in their order. */
  GetResponse keys(Keys.Range range, int most) {
    GetOption option =
        GetOption.builder().withRange(range.to()).withKeysOnly(true).withLimit(most).build();
    return require(client -> client.getKVClient().get(range.from(), option));
  }

  /** Returns how long a lease lasts unless it is kept alive. */
  Duration remaining(long lease) {
    return unlessLeaseGone(client -> client.getLeaseClient().timeToLive(lease, LeaseOption.DEFAULT))
        .map(answer -> Duration.ofSeconds(Math.max(0, answer.getTTL())))
        .orElse(Duration.ZERO);
  }

  /** Returns what hangs on a lease; nothing if it is over. */
  List<ByteSequence> keysOn(long lease) {
    LeaseOption withKeys = LeaseOption.builder().withAttachedKeys().build();
    return unlessLeaseGone(client -> client.getLeaseClient().timeToLive(lease, withKeys))
        .map(LeaseTimeToLiveResponse::getKeys)
        .orElse(List.of());
  }

  /** Asks for a lease. */
  LeaseGrantResponse grantLease(long seconds) {
    return require(client -> client.getLeaseClient().grant(seconds));
  }

  /** Keeps a lease alive; empty if it is over. */
  Optional<LeaseKeepAliveResponse> keepAlive(long lease) {
    return unlessLeaseGone(client -> client.getLeaseClient().keepAliveOnce(lease));
  }

  /** Ends a lease, and with it all that hangs on it; it may be over already. */
  void revokeLease(long lease) {
    unlessLeaseGone(client -> client.getLeaseClient().revoke(lease));
  }

  /** The same, where a lease that is over is a failure like any other. */
  private <T extends Response> T require(Function<Client, CompletableFuture<T>> request) {
    try {
      return answer(request);
    } catch (ExecutionException e) {
      throw failed(e);
    }
  }

  /** Returns the answer, or empty if the request names a lease that is over. */
  private <T extends Response> Optional<T> unlessLeaseGone(
      Function<Client, CompletableFuture<T>> request) {
    try {
      return Optional.of(answer(request));
    } catch (ExecutionException e) {
      if (EtcdErrors.isLeaseGone(e)) {
        return Optional.empty();
      }
      throw failed(e);
    }
  }

  private <T extends Response> T answer(Function<Client, CompletableFuture<T>> request)
      throws ExecutionException {
    if (link.clients().isClosed()) {
      throw new BackendFailure(effect(), "The backend for %s is closed.".formatted(name()), null);
    }
    if (deadline.hasPassed()) {
      throw new BackendFailure(
          effect(),
          "The time for a call to %s was over before it was done.".formatted(name()),
          null);
    }
    link.beforeStep();
    sent = true;
    long timeNanos = deadline.remaining().toNanos();
    CompletableFuture<T> future = request.apply(link.clients().current());
    try {
      T answer = future.get(timeNanos, TimeUnit.NANOSECONDS);
      link.clients().answered();
      return answer;
    } catch (TimeoutException e) {
      future.cancel(true);
      link.clients().silent(timeNanos);
      throw new BackendFailure(Effect.UNKNOWN, "%s has not answered in time.".formatted(name()), e);
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          Effect.UNKNOWN, "Interrupted while waiting for %s.".formatted(name()), e);
    }
  }

  private RuntimeException failed(Throwable failure) {
    if (EtcdErrors.isUnreachable(failure)) {
      link.clients().unreachable();
    } else {
      link.clients().answered();
    }
    return EtcdErrors.failure(name(), failure);
  }

  private Effect effect() {
    return sent ? Effect.UNKNOWN : Effect.NONE;
  }

  private String name() {
    return link.name();
  }
}
