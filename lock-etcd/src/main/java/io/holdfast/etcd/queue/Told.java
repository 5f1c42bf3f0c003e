package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.etcd.format.Keys;
import io.holdfast.record.RequestId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The notice in the session of a holder about the holder's revocation, at one moment. A client that
 * goes on from there compares that it still says so, since others may revoke the same holder.
 */
sealed interface Told {

  /** Returns the revision that wrote the notice; 0 if there is none. */
  long revision();

  /** Whether the holder has no time left. */
  boolean isToStop();

  /** Returns the notice if it leaves some time, but no more than this. */
  default Optional<StopIn> within(Duration time) {
    return Optional.empty();
  }

  /** There is no notice. */
  record Nothing() implements Told {
    @Override
    public long revision() {
      return 0;
    }

    @Override
    public boolean isToStop() {
      return false;
    }
  }

  /** It has to stop at once. No client gives it time any more. */
  record Stop(long revision) implements Told {
    @Override
    public boolean isToStop() {
      return true;
    }
  }

  /**
   * It may hold for some time.
   *
   * @param time from the beginning of the timer on
   * @param timer the lease that the timer of the notice is on; empty if that time is over
   */
  record StopIn(long revision, Duration time, OptionalLong timer) implements Told {
    @Override
    public boolean isToStop() {
      return timer.isEmpty();
    }

    @Override
    public Optional<StopIn> within(Duration other) {
      return isToStop() || time.compareTo(other) > 0 ? Optional.empty() : Optional.of(this);
    }
  }

  /** Takes it from what was found in the range of a notice and its timer. */
  static Told of(Keys keys, RequestId request, List<KeyValue> found) {
    return find(found, keys.notice(request))
        .map(notice -> of(notice, find(found, keys.noticeTimer(request))))
        .orElseGet(Nothing::new);
  }

  private static Told of(KeyValue notice, Optional<KeyValue> timer) {
    String value = notice.getValue().toString(StandardCharsets.UTF_8);
    return value.isEmpty()
        ? new Stop(notice.getModRevision())
        : new StopIn(
            notice.getModRevision(),
            Duration.ofMillis(Long.parseLong(value)),
            timer.stream().mapToLong(KeyValue::getLease).findFirst());
  }

  private static Optional<KeyValue> find(List<KeyValue> found, ByteSequence key) {
    return found.stream().filter(entry -> entry.getKey().equals(key)).findFirst();
  }
}
