package io.holdfast.zookeeper.layout;

import io.holdfast.record.Stay;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * A stay, as a request's node has it.
 *
 * @param length how long it lasts, in whole milliseconds
 * @param began when it began; empty if that was the last write to the node
 */
public record StoredStay(Stay.Reason reason, Duration length, Optional<Moment> began) {

  /** A stay that begins with the write that stores it. */
  public static StoredStay beginning(Stay.Reason reason, Duration length) {
    return new StoredStay(reason, wholeMillis(length), Optional.empty());
  }

  /** Rounds up. */
  static Duration wholeMillis(Duration length) {
    return Duration.ofMillis(length.plusNanos(999_999).toMillis());
  }

  /** Returns when it began, by the last write to the node. */
  public Moment began(Stat stat) {
    return began.orElseGet(() -> Moment.ofWrite(stat));
  }

  /** Returns the same for a node that is written again, which does not begin it again. */
  StoredStay runningOn(Stat written) {
    return new StoredStay(reason, length, Optional.of(began(written)));
  }

  static StoredStay parse(String text, Optional<String> began) {
    int colon = text.indexOf(':');
    return new StoredStay(
        Stay.Reason.valueOf(text.substring(0, colon).toUpperCase(Locale.ROOT)),
        Duration.ofMillis(Long.parseLong(text.substring(colon + 1))),
        began.map(Moment::parse));
  }

  String encode() {
    return reason.name().toLowerCase(Locale.ROOT) + ":" + length.toMillis();
  }
}
