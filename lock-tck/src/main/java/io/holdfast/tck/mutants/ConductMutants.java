package io.holdfast.tck.mutants;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Opened;
import io.holdfast.tck.faults.InterceptedBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Mistakes that show only in long use, in pages, or in many calls at a time. */
final class ConductMutants {

  private ConductMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "ttl-in-whole-seconds",
            "A TTL is granted to the fraction of a second, or a longer one is told",
            WholeSeconds::new,
            "SessionRules.aFractionOfASecondOfATtlCounts"),
        Mutant.ofBackend(
            "only-the-first-hints",
            "Hints go on (known failure 43)",
            FirstHints::new,
            "QueueRules.hintsGoOnWherePushIsClaimed"),
        Mutant.ofBackend(
            "pages-come-short",
            "A page is full unless nothing comes after it",
            ShortPages::new,
            "RecordRules.freeLocksTakeNoPlaceOnAPage"),
        Mutant.ofBackend(
            "lists-without-queues",
            "A list tells who waits, so that circles are seen",
            NoQueues::new,
            "DeadlockRules.whoWaitForEachOtherAreSuspectedUntilOneGivesUp"),
        Mutant.ofBackend(
            "close-is-ignored",
            "A connection that was closed answers nothing",
            NeverClosed::new,
            "ConductRules.aConnectionThatWasClosedAnswersNothing"),
        Mutant.ofBackend(
            "one-grab-at-a-time",
            "A call that hangs delays no other",
            OneAtATime::new,
            "ConductRules.aCallThatHangsDelaysNoCallOnAnotherLock"));
  }

  private static final class WholeSeconds extends InterceptedBackend {
    WholeSeconds(LockBackend target) {
      super(target);
    }

    @Override
    public Opened open(SessionSpec spec, Deadline deadline) {
      Duration cut = Duration.ofSeconds(Math.max(1, spec.ttl().toSeconds()));
      Opened opened =
          super.open(new SessionSpec(spec.id(), cut, spec.partition(), spec.process()), deadline);
      return new Opened(spec.ttl(), opened.namespace(), opened.storeTime());
    }
  }

  private static final class FirstHints extends InterceptedBackend {
    private final AtomicInteger hints = new AtomicInteger();

    FirstHints(LockBackend target) {
      super(target);
    }

    @Override
    public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
      HintListener few =
          name -> {
            if (hints.incrementAndGet() <= 3) {
              listener.accept(name);
            }
          };
      return super.listen(session, few, deadline);
    }
  }

  private static final class ShortPages extends InterceptedBackend {
    ShortPages(LockBackend target) {
      super(target);
    }

    @Override
    public List<LockRecord> list(
        String prefix, Optional<LockName> after, int limit, Deadline deadline) {
      return super.list(prefix, after, limit / 2 + 1, deadline);
    }
  }

  private static final class NoQueues extends InterceptedBackend {
    NoQueues(LockBackend target) {
      super(target);
    }

    @Override
    public List<LockRecord> list(
        String prefix, Optional<LockName> after, int limit, Deadline deadline) {
      return super.list(prefix, after, limit, deadline).stream()
          .map(record -> record.withFirst(0))
          .toList();
    }
  }

  private static final class NeverClosed extends InterceptedBackend {
    NeverClosed(LockBackend target) {
      super(target);
    }

    @Override
    public void close() {}
  }

  private static final class OneAtATime extends InterceptedBackend {
    private final ReentrantLock turn = new ReentrantLock();

    OneAtATime(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      turn.lock();
      try {
        return super.grab(request, deadline);
      } finally {
        turn.unlock();
      }
    }
  }
}
