package io.holdfast.engine.turn;

import io.holdfast.FencingToken;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An adapter whose answers are looked at before the engine relies on them. One that answers
 * nothing, or too little, fails the call: otherwise the caller would wait for ever.
 */
public record CheckedBackend(LockBackend adapter) implements LockBackend {

  private static final long NUMBER_MAX = Long.MAX_VALUE / FencingToken.LOCAL_PARTS;

  /** Far more than any wait or lease, and half of what can be counted. */
  private static final Duration TIME_MAX = Duration.ofNanos(Long.MAX_VALUE / 2);

  private <T> T answered(String verb, @Nullable T answer) {
    if (answer == null) {
      throw mistake(verb + " answered null");
    }
    return answer;
  }

  private <T> List<T> allThere(String verb, @Nullable List<T> answers) {
    for (T answer : answered(verb, answers)) {
      T unused = answered(verb, answer);
    }
    return answered(verb, answers);
  }

  private Attempt complete(String verb, Attempt attempt) {
    if (attempt instanceof Attempt.Granted granted) {
      requireNumber(verb, granted.number());
      Contention unused = answered(verb, granted.contention());
    } else if (attempt instanceof Attempt.Refused refused) {
      LockRecord unused = answered(verb, refused.record());
    } else if (attempt instanceof Attempt.Delayed delayed) {
      requireCountable(verb, delayed.remaining());
    }
    return attempt;
  }

  private void requireComplete(String verb, Standing standing) {
    if (standing instanceof Standing.Holding holding) {
      requireNumber(verb, holding.number());
      Contention unused = answered(verb, holding.contention());
    } else if (standing instanceof Standing.Waiting waiting) {
      answered(verb, waiting.nextDue()).ifPresent(due -> requireCountable(verb, due));
    }
  }

  /** Times are counted in nanoseconds. */
  private void requireCountable(String verb, Duration time) {
    if (answered(verb, time).compareTo(TIME_MAX) > 0) {
      throw mistake(verb + " answered a time of " + time);
    }
  }

  /** Tokens are made of numbers: they must be positive, and have room for the local part. */
  private void requireNumber(String verb, long number) {
    if (number <= 0 || number > NUMBER_MAX) {
      throw mistake(verb + " answered a grant with the number " + number);
    }
  }

  private AdapterMistakeException mistake(String mistake) {
    return new AdapterMistakeException(adapter.getClass().getName(), mistake);
  }

  /** Returns the adapter's way to resume sessions, if it has one. */
  public Optional<ResumableSessions> resumable() {
    return adapter instanceof ResumableSessions resumable
        ? Optional.of((session, deadline) -> resume(resumable, session, deadline))
        : Optional.empty();
  }

  private Optional<Resumed> resume(
      ResumableSessions resumable, SessionId session, Deadline deadline) {
    return answered("resume", resumable.resume(session, deadline));
  }

  @Override
  public Capabilities capabilities() {
    return answered("capabilities", adapter.capabilities());
  }

  @Override
  public String describe() {
    return adapter.describe();
  }

  @Override
  public int partition(LockName name) {
    return adapter.partition(name);
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    return answered("open", adapter.open(spec, deadline));
  }

  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return answered("renew", adapter.renew(session, deadline));
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return answered("end", adapter.end(session, when, deadline));
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return complete("grab", answered("grab", adapter.grab(request, deadline)));
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return complete("overtake", answered("overtake", adapter.overtake(request, head, deadline)));
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return answered("release", adapter.release(name, request, deadline));
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    return answered("releaseAfter", adapter.releaseAfter(key, stay, deadline));
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    OptionalLong number = answered("downgrade", adapter.downgrade(key, deadline));
    number.ifPresent(given -> requireNumber("downgrade", given));
    return number;
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    List<Standing> standings = allThere("look", adapter.look(session, requests, deadline));
    if (standings.size() != requests.size()) {
      throw mistake(
          "look answered %s standings for %s requests"
              .formatted(standings.size(), requests.size()));
    }
    standings.forEach(standing -> requireComplete("look", standing));
    return standings;
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return answered("revoke", adapter.revoke(head, when, deadline));
  }

  @Override
  public Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    return answered("revokeIn", adapter.revokeIn(head, notice, deadline));
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    adapter.acknowledge(request, deadline);
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return answered("inspect", adapter.inspect(name, deadline));
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, int waiters, Deadline deadline) {
    return answered("inspect", adapter.inspect(name, waiters, deadline));
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(
      LockName name, RequestId after, int limit, Deadline deadline) {
    return answered("waitersBehind", adapter.waitersBehind(name, after, limit, deadline));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    return allThere("list", adapter.list(prefix, after, limit, deadline));
  }

  @Override
  public int sweep(Deadline deadline) {
    return adapter.sweep(deadline);
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return answered("listen", adapter.listen(session, listener, deadline));
  }

  @Override
  public Watching watch(LockName name, HintListener hints) {
    Watching watching = answered("watch", adapter.watch(name, hints));
    return new Watching() {
      @Override
      public Sighting read(int waiters, Deadline deadline) {
        return answered("a watch's read", watching.read(waiters, deadline));
      }

      @Override
      public void close() {
        watching.close();
      }
    };
  }

  @Override
  public void close() {
    adapter.close();
  }
}
