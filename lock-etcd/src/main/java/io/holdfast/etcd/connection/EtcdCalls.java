package io.holdfast.etcd.connection;

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
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The calls of one verb, one after the other. Each is given up at the deadline of the verb. */
public final class EtcdCalls {

  private final ClusterConnection cluster;
  private final Deadline deadline;
  private boolean sent;
  private boolean changed;

  EtcdCalls(ClusterConnection cluster, Deadline deadline) {
    this.cluster = cluster;
    this.deadline = deadline;
  }

  /** Reads in one transaction, which is linearizable. */
  public TxnResponse read(List<Op> reads) {
    return require(client -> commit(client, List.of(), reads, List.of()));
  }

  /**
   * Reads the same about several things in one transaction, or in several if the client does not
   * take so large an answer: then each is about half of them. An application's client takes what it
   * was made for, 4 MiB by default.
   *
   * @param about at least one
   * @param reads the reads about some of them
   * @param read takes the answers about some of them, in their order
   */
  public <T> void readParts(
      List<T> about, Function<List<T>, List<Op>> reads, BiConsumer<List<T>, TxnResponse> read) {
    try {
      read.accept(
          about, answer(client -> commit(client, List.of(), reads.apply(about), List.of())));
    } catch (ExecutionException e) {
      if (about.size() == 1 || !EtcdErrors.isAnswerTooLarge(e)) {
        throw failed(e);
      }
      int half = about.size() / 2;
      readParts(about.subList(0, half), reads, read);
      readParts(about.subList(half, about.size()), reads, read);
    }
  }

  /** Runs a transaction: changes if the compares are true, else reads. */
  public TxnResponse txn(List<Cmp> when, List<Op> then, List<Op> otherwise) {
    TxnResponse answer = require(client -> commit(client, when, then, otherwise));
    changed |= answer.isSucceeded();
    return answer;
  }

  /** Runs a transaction like {@link #txn}; empty if it names a lease that is over. */
  public Optional<TxnResponse> txnUnlessLeaseGone(
      List<Cmp> when, List<Op> then, List<Op> otherwise) {
    Optional<TxnResponse> answer = unlessLeaseGone(client -> commit(client, when, then, otherwise));
    changed |= answer.filter(TxnResponse::isSucceeded).isPresent();
    return answer;
  }

  /** Returns what the verb throws after a failure: an earlier call may have changed something. */
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
  public GetResponse range(Keys.Range range) {
    return require(client -> client.getKVClient().get(range.from(), Ops.ofRange(range)));
  }

  /** Reads the keys of a range without values, in their order, up to a limit. */
  public GetResponse keys(Keys.Range range, int limit) {
    GetOption option =
        GetOption.builder().withRange(range.to()).withKeysOnly(true).withLimit(limit).build();
    return require(client -> client.getKVClient().get(range.from(), option));
  }

  /** Asks how much is left of leases, all at the same time. */
  public LeaseTimes leaseTimes(Collection<Long> leases) {
    List<CompletableFuture<LeaseTimeToLiveResponse>> asked = new ArrayList<>();
    for (long lease : leases) {
      asked.add(send(client -> client.getLeaseClient().timeToLive(lease, LeaseOption.DEFAULT)));
    }
    Map<Long, LeaseTimeToLiveResponse> answers = new HashMap<>();
    for (CompletableFuture<LeaseTimeToLiveResponse> future : asked) {
      unlessLeaseGone(future).ifPresent(answer -> answers.put(answer.getID(), answer));
    }
    return new LeaseTimes(answers);
  }

  public LeaseTimes leaseTimes(long lease) {
    return leaseTimes(List.of(lease));
  }

  /** Returns the keys that are attached to a lease; none if it is over. */
  public List<ByteSequence> keysOn(long lease) {
    LeaseOption withKeys = LeaseOption.builder().withAttachedKeys().build();
    return unlessLeaseGone(client -> client.getLeaseClient().timeToLive(lease, withKeys))
        .map(LeaseTimeToLiveResponse::getKeys)
        .orElse(List.of());
  }

  /** Creates a lease. */
  public LeaseGrantResponse grantLease(long seconds) {
    return require(client -> client.getLeaseClient().grant(seconds));
  }

  /** Keeps a lease alive; empty if it is over. */
  public Optional<LeaseKeepAliveResponse> keepAlive(long lease) {
    return unlessLeaseGone(client -> client.getLeaseClient().keepAliveOnce(lease));
  }

  /** Ends a lease and deletes the keys attached to it. The lease may be over already. */
  public void revokeLease(long lease) {
    unlessLeaseGone(client -> client.getLeaseClient().revoke(lease));
  }

  /** Returns the answer. A lease that is over is a failure like any other. */
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
    return unlessLeaseGone(send(request));
  }

  private <T extends Response> Optional<T> unlessLeaseGone(CompletableFuture<T> future) {
    try {
      return Optional.of(answer(future));
    } catch (ExecutionException e) {
      if (EtcdErrors.isLeaseGone(e)) {
        return Optional.empty();
      }
      throw failed(e);
    }
  }

  private <T extends Response> T answer(Function<Client, CompletableFuture<T>> request)
      throws ExecutionException {
    return answer(send(request));
  }

  private <T extends Response> CompletableFuture<T> send(
      Function<Client, CompletableFuture<T>> request) {
    if (cluster.client().isClosed()) {
      throw new BackendFailure(effect(), "The backend for %s is closed.".formatted(name()), null);
    }
    if (deadline.hasPassed()) {
      throw new BackendFailure(
          effect(),
          "The deadline of a verb passed before all its calls to %s were made.".formatted(name()),
          null);
    }
    cluster.beforeCall();
    sent = true;
    return request.apply(cluster.client().current());
  }

  private <T extends Response> T answer(CompletableFuture<T> future) throws ExecutionException {
    long timeNanos = deadline.remaining().toNanos();
    try {
      T answer = future.get(timeNanos, TimeUnit.NANOSECONDS);
      cluster.client().answered();
      return answer;
    } catch (TimeoutException e) {
      future.cancel(true);
      cluster.client().silent(timeNanos);
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
      cluster.client().unreachable();
    } else {
      cluster.client().answered();
    }
    return EtcdErrors.failure(name(), failure);
  }

  private Effect effect() {
    return sent ? Effect.UNKNOWN : Effect.NONE;
  }

  private String name() {
    return cluster.name();
  }
}
