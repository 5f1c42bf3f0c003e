package io.holdfast.engine.turn;

import io.holdfast.FencingToken;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks at an adapter's answer to one verb before the engine relies on it. Every part of it must be
 * there and in the range that the engine can count in: otherwise the turn of the answer would end
 * halfway, and the caller would wait for ever.
 */
record AnswerCheck(LockBackend adapter, String verb) {

  private static final long NUMBER_MAX = Long.MAX_VALUE / FencingToken.LOCAL_PARTS;

  /** Far more than any wait or lease, and half of what can be counted. */
  private static final Duration TIME_MAX = Duration.ofNanos(Long.MAX_VALUE / 2);

  /** Something was answered. */
  <T> T there(@Nullable T answer) {
    if (answer == null) {
      throw mistake(verb + " answered null");
    }
    return answer;
  }

  <T> List<T> allThere(@Nullable List<T> answers) {
    List<T> all = there(answers);
    all.forEach(this::part);
    return all;
  }

  Opened opened(@Nullable Opened answer) {
    Opened opened = there(answer);
    requireTtl(opened.ttl());
    part(opened.namespace());
    part(opened.storeTime());
    return opened;
  }

  void resumed(Resumed resumed) {
    requireTtl(resumed.ttl());
    part(resumed.namespace());
  }

  Renewed renewed(@Nullable Renewed answer) {
    Renewed renewed = there(answer);
    if (renewed instanceof Renewed.Alive alive) {
      requireTtl(alive.ttl());
      part(alive.storeTime());
      for (Notice notice : alive.notices()) {
        if (notice instanceof Notice.Revoked revoked) {
          part(revoked.request());
          requireCountable(revoked.left());
        }
      }
    }
    return renewed;
  }

  Attempt attempt(@Nullable Attempt answer) {
    Attempt attempt = there(answer);
    if (attempt instanceof Attempt.Granted granted) {
      requireGrant(granted.number(), granted.since(), granted.contention());
    } else if (attempt instanceof Attempt.Refused refused) {
      part(refused.record());
      requireDue(refused.nextDue());
    } else if (attempt instanceof Attempt.QueueFull full) {
      part(full.limit());
    } else if (attempt instanceof Attempt.Delayed delayed) {
      requireCountable(delayed.remaining());
      part(delayed.why());
    }
    return attempt;
  }

  OptionalLong number(@Nullable OptionalLong answer) {
    OptionalLong number = there(answer);
    number.ifPresent(this::requireNumber);
    return number;
  }

  List<Standing> standings(@Nullable List<Standing> answer, int requests) {
    List<Standing> standings = allThere(answer);
    if (standings.size() != requests) {
      throw mistake(
          "%s answered %s standings for %s requests".formatted(verb, standings.size(), requests));
    }
    standings.forEach(this::requireComplete);
    return standings;
  }

  private void requireComplete(Standing standing) {
    if (standing instanceof Standing.Holding holding) {
      requireGrant(holding.number(), holding.since(), holding.contention());
      part(holding.mode());
    } else if (standing instanceof Standing.Waiting waiting) {
      requireDue(waiting.nextDue());
    }
  }

  private void requireGrant(long number, Instant since, Contention contention) {
    requireNumber(number);
    part(since);
    part(contention);
  }

  /** Tokens are made of numbers: they must be positive, and have room for the local part. */
  private void requireNumber(long number) {
    if (number <= 0 || number > NUMBER_MAX) {
      throw mistake(verb + " answered a grant with the number " + number);
    }
  }

  private void requireTtl(Duration ttl) {
    requireCountable(ttl);
    if (ttl.isZero() || ttl.isNegative()) {
      throw mistake(verb + " answered a TTL of " + ttl);
    }
  }

  private void requireDue(Optional<Duration> due) {
    part(due);
    due.ifPresent(this::requireCountable);
  }

  /** Times are counted in nanoseconds. */
  private void requireCountable(Duration time) {
    part(time);
    if (time.compareTo(TIME_MAX) > 0 || time.compareTo(TIME_MAX.negated()) < 0) {
      throw mistake(verb + " answered a time of " + time);
    }
  }

  /** A part of the answer, which the types do not allow to be missing. */
  private void part(@Nullable Object part) {
    if (part == null) {
      throw mistake(verb + " answered with a part missing");
    }
  }

  private AdapterMistakeException mistake(String mistake) {
    return new AdapterMistakeException(adapter.getClass().getName(), mistake);
  }
}
