package io.holdfast.cli;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.Health;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.SessionId;
import io.holdfast.election.Election;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.view.LockView;
import io.holdfast.view.MultiGrant;
import io.holdfast.view.ReadWriteLockView;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A client that answers what a test has put into it, and remembers what it was asked. */
public class FakeClient implements LockClient {

  public Function<AcquireOptions, Grant> acquiring =
      options -> new FakeGrant("demo", options.ttl().orElseThrow(), () -> {});
  public volatile List<LockRecord> records = List.of();

  /** The listeners of the open watches, under what they watch. */
  public final Map<String, WatchListener> watches = new ConcurrentHashMap<>();

  public Revocation revocation = new Revocation.Marked(Duration.ofSeconds(12));
  public @Nullable AcquireOptions asked;
  public @Nullable RevokeWhen revoked;
  public @Nullable Duration revokedIn;
  public volatile @Nullable RuntimeException listFailure;
  public volatile boolean closed;

  @Override
  public DistributedLock lock(String name) {
    LockName lockName = new LockName(name);
    return new DistributedLock() {
      @Override
      public LockName name() {
        return lockName;
      }

      @Override
      public Grant acquire(AcquireOptions options) {
        asked = options;
        return acquiring.apply(options);
      }

      @Override
      public Optional<Grant> tryAcquire(AcquireOptions options) {
        throw new UnsupportedOperationException();
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
      public <T, E extends Exception> T call(AcquireOptions options, Task<T, E> task) {
        throw new UnsupportedOperationException();
      }

      @Override
      public LockView asLock(AcquireOptions options) {
        throw new UnsupportedOperationException();
      }
    };
  }

  @Override
  public ReadWriteLockView readWriteLock(String name, AcquireOptions options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MultiGrant lockAll(Collection<String> names, AcquireOptions options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<MultiGrant> tryLockAll(Collection<String> names, AcquireOptions options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Election election(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Watch watch(String name, Duration interval, WatchListener listener) {
    watches.put("lock " + name + " each " + interval, listener);
    return () -> watches.clear();
  }

  @Override
  public Watch watchPrefix(String prefix, Duration interval, WatchListener listener) {
    watches.put("prefix " + prefix + " each " + interval, listener);
    return () -> watches.clear();
  }

  @Override
  public Optional<LockRecord> find(String name) {
    return records.stream().filter(lock -> lock.name().value().equals(name)).findFirst();
  }

  @Override
  public boolean isCurrent(Sequencer sequencer) {
    return find(sequencer.name().value()).filter(lock -> lock.isHeldWith(sequencer)).isPresent();
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(String name, RequestId after, int limit) {
    return find(name).flatMap(record -> record.waitersBehind(after, limit));
  }

  @Override
  public Stream<LockRecord> list(String prefix) {
    RuntimeException failure = listFailure;
    if (failure != null) {
      throw failure;
    }
    return records.stream().filter(lock -> lock.name().value().startsWith(prefix));
  }

  @Override
  public Revocation revoke(LockRecord seen, RevokeWhen when) {
    revoked = when;
    return revocation;
  }

  @Override
  public Revocation revoke(LockRecord seen, Holder holder, RevokeWhen when) {
    return revoke(seen, when);
  }

  @Override
  public Revocation revokeIn(LockRecord seen, Holder holder, Duration notice) {
    revokedIn = notice;
    return revocation;
  }

  @Override
  public Health health() {
    return new Health(backend(), Optional.empty(), Duration.ZERO, List.of());
  }

  @Override
  public List<SessionId> orphan() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Grant> resume(SessionId session) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String backend() {
    return "fake";
  }

  @Override
  public void close() {
    closed = true;
  }
}
