package io.holdfast.etcd.queue;

import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;
import io.holdfast.LockName;
import io.holdfast.etcd.connection.ClusterConnection;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Sighting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lock that a client watches. etcd tells each change of a key in its queue, and of their marks.
 * The stream of changes begins at the revision that was read, so no change is missed; one that
 * breaks off is begun again by the next read. Thread-safe.
 */
final class WatchedLock implements Watching {

  private final ClusterConnection cluster;
  private final Watches watches;
  private final LockReader reader;
  private final LockName name;
  private final List<Keys.Range> ranges;
  private final HintListener hints;
  private @Nullable Changes changes;
  private boolean closed;

  WatchedLock(
      ClusterConnection cluster,
      Watches watches,
      LockReader reader,
      Keys keys,
      LockName name,
      HintListener hints) {
    this.cluster = cluster;
    this.watches = watches;
    this.reader = reader;
    this.name = name;
    this.ranges = List.of(keys.queue(name), keys.marks(name));
    this.hints = hints;
  }

  @Override
  public Sighting read(int waiters, Deadline deadline) {
    LockReader.Seen seen = cluster.verb(deadline, calls -> reader.see(calls, name, waiters));
    if (watches.mayPush(this)) {
      watchFrom(seen.revision() + 1);
    }
    return seen.sighting();
  }

  private void watchFrom(long revision) {
    Changes begun = new Changes();
    boolean late;
    synchronized (this) {
      if (changes != null) {
        return;
      }
      late = closed;
      changes = begun;
    }
    if (late) {
      watches.closed(this);
      return;
    }
    ranges.forEach(range -> begun.begin(range, revision));
  }

  @Override
  public void close() {
    @Nullable Changes last;
    synchronized (this) {
      closed = true;
      last = changes;
    }
    if (last != null) {
      last.close();
    }
    watches.closed(this);
  }

  /** The changes since one read. Told on threads of jetcd. */
  private final class Changes implements Watch.Listener {

    private final List<Watch.Watcher> watchers = new ArrayList<>();
    private boolean done;

    void begin(Keys.Range range, long revision) {
      WatchOption option =
          WatchOption.builder().withRange(range.to()).withRevision(revision).build();
      Watch.Watcher begun;
      try {
        begun = cluster.watch().watch(range.from(), option, this);
      } catch (RuntimeException e) {
        // The client was just replaced, or closed. The next read tries again.
        end();
        return;
      }
      boolean late;
      synchronized (this) {
        late = done;
        watchers.add(begun);
      }
      if (late) {
        begun.close();
      }
    }

    @Override
    public void onNext(WatchResponse response) {
      if (!response.getEvents().isEmpty()) {
        hints.accept(name);
      }
    }

    @Override
    public void onError(Throwable failure) {
      end();
    }

    @Override
    public void onCompleted() {
      end();
    }

    private void end() {
      synchronized (WatchedLock.this) {
        if (changes == this) {
          changes = null;
        }
      }
      close();
      hints.ended();
    }

    void close() {
      List<Watch.Watcher> begun;
      synchronized (this) {
        done = true;
        begun = List.copyOf(watchers);
        watchers.clear();
      }
      begun.forEach(Watch.Watcher::close);
    }
  }
}
