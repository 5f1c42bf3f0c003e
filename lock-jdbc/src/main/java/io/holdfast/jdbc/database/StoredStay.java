package io.holdfast.jdbc.database;

import io.holdfast.record.Stay;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A stay as a text: {@code reason from "+" duration "@" incarnation}. It is over when its duration
 * has passed since it began, by the clock of the incarnation in which it did.
 *
 * @param from when it began, in microseconds
 * @param duration in microseconds
 * @param incarnation of the clock that {@code from} is a time of
 */
public record StoredStay(Stay.Reason reason, long from, long duration, String incarnation) {

  /** Occurs in nothing else in an entry. */
  public static final char SIGN = '@';

  private static final Pattern TEXT = Pattern.compile("([rda])(\\d+)\\+(\\d+)@(.+)");
  private static final int INCARNATION = 4;

  /** Reads one; empty if the text is. */
  public static Optional<StoredStay> parse(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Not a stay: " + text);
    }
    return Optional.of(
        new StoredStay(
            reason(matcher.group(1)),
            Long.parseLong(matcher.group(2)),
            Long.parseLong(matcher.group(3)),
            matcher.group(INCARNATION)));
  }

  @Override
  public String toString() {
    return letter(reason) + from + '+' + duration + SIGN + incarnation;
  }

  private static String letter(Stay.Reason reason) {
    return switch (reason) {
      case REVOKED -> "r";
      case LOCK_DELAY -> "d";
      case AT_LEAST -> "a";
    };
  }

  private static Stay.Reason reason(String letter) {
    return switch (letter) {
      case "r" -> Stay.Reason.REVOKED;
      case "d" -> Stay.Reason.LOCK_DELAY;
      default -> Stay.Reason.AT_LEAST;
    };
  }

  public boolean isRevocation() {
    return reason == Stay.Reason.REVOKED;
  }

  /** Whether a clock tells nothing of its age, so that it begins again when it is seen. */
  public boolean isDoubtful(long now, String present) {
    boolean isComparable =
        present.equals(incarnation)
            || present.equals(Machine.UNKNOWN)
            || incarnation.equals(Machine.UNKNOWN);
    return from > now || !isComparable;
  }

  /** Returns how long it lasts by a clock. */
  public long left(long now, String present) {
    return isDoubtful(now, present) ? duration : Math.max(0, from + duration - now);
  }
}
