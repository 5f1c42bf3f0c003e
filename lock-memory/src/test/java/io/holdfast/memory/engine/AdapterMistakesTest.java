package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.memory.world.RealTime;
import io.holdfast.memory.world.World;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An adapter that answers nothing, or too little: an exception says so, and nobody is stranded. */
class AdapterMistakesTest {

  private final World world = new World(Wakeup.PUSH);
  private final World.Peer process = world.process();
  private final World.Peer other = world.process();

  /** Else a test would run for ever instead of failing. */
  @BeforeEach
  void whoeverIsStrandedIsInterrupted() {
    world.after(Duration.ofHours(1), Thread.currentThread()::interrupt);
  }

  @AfterEach
  void nothingIsLeftForTheNextTest() {
    boolean unused = Thread.interrupted();
  }

  private static World.Network nothingFrom(String verb) {
    return sent -> sent.is(verb) ? nothing() : sent.pass();
  }

  @SuppressWarnings("NullAway") // This is the mistake.
  private static Object nothing() {
    return null;
  }

  private static void assertMistake(String verb, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("the adapter")
        .hasMessageContaining(verb + " answered");
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "grab"})
  void whoeverAsksIsToldAndTheLockCanBeHadAfterwards(String verb) {
    process.network = nothingFrom(verb);
    assertMistake(verb, () -> process.client.lock("a").acquire());
    process.network = World.Sent::pass;
    assertThat(process.client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "grab"})
  void aGrabThatTookTheLockAllTheSameIsTakenBack(String verb) {
    process.network =
        sent -> {
          Object answer = sent.pass();
          return sent.is(verb) ? nothing() : answer;
        };
    assertMistake(verb, () -> process.client.lock("a").tryAcquire());
    assertThat(other.client.lock("a").acquire(Duration.ofSeconds(1)).isHeld()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1L << 53})
  void aGrantWithoutANumberIsRefusedAndTakenBack(long number) {
    process.network =
        sent -> {
          Object answer = sent.pass();
          return sent.is("grab")
              ? new Attempt.Granted(number, Instant.EPOCH, Contention.NOT_KNOWN)
              : answer;
        };
    assertMistake("grab", () -> process.client.lock("a").tryAcquire());
    assertThat(other.client.lock("a").acquire(Duration.ofSeconds(1)).isHeld()).isTrue();
  }

  /** Else the turn of the answer would fail halfway, and whoever waits would never be looked at. */
  @ParameterizedTest
  @EnumSource
  void whoeverWaitsIsToldOfAnAnswerOfWhichAPartIsMissing(BadPart mistake) {
    Grant held = other.client.lock("a").acquire();
    process.network = sent -> sent.is("look") ? List.of(mistake.waiting()) : sent.pass();
    assertMistake("look", () -> process.client.lock("a").acquire());
    process.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(1)); // Its request leaves the queue.
    assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE})
  void aDelayThatCannotBeCountedIsRefused(long seconds) {
    process.network =
        sent ->
            sent.is("grab")
                ? new Attempt.Delayed(Duration.ofSeconds(seconds), "for ever")
                : sent.pass();
    assertMistake("grab", () -> process.client.lock("a").acquire());
  }

  @Test
  @SuppressWarnings("NullAway") // This is the mistake.
  void aDelayWithoutAReasonIsRefused() {
    process.network =
        sent -> sent.is("grab") ? new Attempt.Delayed(Duration.ofSeconds(1), null) : sent.pass();
    assertMistake("grab", () -> process.client.lock("a").acquire());
  }

  enum BadTerms {
    NO_TTL,
    ZERO_TTL,
    NO_NAMESPACE,
    NO_CLOCK;

    @SuppressWarnings("NullAway") // This is the mistake.
    Opened of(Opened opened) {
      return new Opened(
          ttl(opened.ttl()),
          this == NO_NAMESPACE ? null : opened.namespace(),
          this == NO_CLOCK ? null : opened.storeTime());
    }

    @SuppressWarnings("NullAway") // This is the mistake.
    Renewed of(Renewed.Alive alive) {
      return new Renewed.Alive(
          ttl(alive.ttl()), alive.notices(), this == NO_CLOCK ? null : alive.storeTime());
    }

    @SuppressWarnings("NullAway") // This is the mistake.
    private Duration ttl(Duration right) {
      return switch (this) {
        case NO_TTL -> null;
        case ZERO_TTL -> Duration.ZERO;
        case NO_NAMESPACE, NO_CLOCK -> right;
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSessionOfWhichThereIsAPartOnlyIsToldToTheCaller(BadTerms mistake) {
    process.network = sent -> sent.is("open") ? mistake.of((Opened) sent.pass()) : sent.pass();
    assertMistake("open", () -> process.client.lock("a").acquire());
    process.network = World.Sent::pass;
    assertThat(process.client.lock("a").tryAcquire()).isPresent();
  }

  /** As one that got lost: the next heartbeat comes all the same. */
  @ParameterizedTest
  @EnumSource(names = "NO_NAMESPACE", mode = EnumSource.Mode.EXCLUDE)
  void aRenewalOfWhichThereIsAPartOnlyEndsNoHeartbeat(BadTerms mistake) {
    Grant held = process.client.lock("a").acquire();
    AtomicInteger renewals = new AtomicInteger();
    process.network =
        sent ->
            sent.is("renew") && renewals.incrementAndGet() == 1
                ? mistake.of((Renewed.Alive) sent.pass())
                : sent.pass();
    world.time.advance(World.TTL.multipliedBy(3));
    assertThat(held.isHeld()).isTrue();
    assertThat(renewals).hasValueGreaterThan(1);
  }

  enum BadPart {
    NO_TIME,
    TIME_TOO_LONG;

    @SuppressWarnings("NullAway") // This is the mistake.
    Standing waiting() {
      return new Standing.Waiting(
          1, List.of(), this == NO_TIME ? null : Optional.of(Duration.ofSeconds(Long.MAX_VALUE)));
    }
  }

  enum TooLittle {
    NULL,
    EMPTY,
    ELEMENT_NULL
  }

  @ParameterizedTest
  @EnumSource
  void whoeverWaitsIsToldThatItsLooksAreNotAnswered(TooLittle mistake) {
    Grant held = other.client.lock("a").acquire();
    process.network =
        sent -> {
          if (!sent.is("look")) {
            return sent.pass();
          }
          return switch (mistake) {
            case NULL -> nothing();
            case EMPTY -> List.<Standing>of();
            case ELEMENT_NULL -> Arrays.asList(nothing());
          };
        };
    assertMistake("look", () -> process.client.lock("a").acquire());
    world.time.advance(Duration.ofSeconds(1));
    assertThat(other.client.find("a").map(LockRecord::waiters).orElseThrow()).isEmpty();
    held.release();
  }

  @ParameterizedTest
  @ValueSource(strings = {"end", "overtake"})
  void whoeverWaitsBehindTheDeadIsToldThatTheyCannotBeRemoved(String verb) {
    world.joinAndDie("a", 1);
    process.network = nothingFrom(verb);
    assertMistake(verb, () -> process.client.lock("a").acquire());
    process.network = World.Sent::pass;
    assertThat(process.client.lock("a").acquire(World.TTL).isHeld()).isTrue();
  }

  /** What an adapter throws of which it says, or does not say, that repeating is useless. */
  private static RuntimeException useless(boolean isKnown) {
    return isKnown
        ? new BackendUnusableException("the queue cannot be read")
        : new NumberFormatException("For input string: \"x\"");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoeverWaitsIsToldIfItsQueueCannotBeReadForLong(boolean isKnown) {
    Grant held = other.client.lock("a").acquire();
    process.network =
        sent -> {
          if (sent.is("look")) {
            throw useless(isKnown);
          }
          return sent.pass();
        };
    assertThatThrownBy(() -> process.client.lock("a").acquire())
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining(isKnown ? "cannot be read" : "For input string");
    process.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(1)); // Its request leaves the queue.
    assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** As while an adapter still talks to a replica. */
  @Test
  void aWaitOutlastsWhatPassesWithinAMinute() {
    Grant held = other.client.lock("a").acquire();
    boolean[] isOver = {false};
    process.network =
        sent -> {
          if (sent.is("look") && !isOver[0]) {
            throw useless(true);
          }
          return sent.pass();
        };
    world.after(Duration.ofSeconds(50), () -> isOver[0] = true);
    world.after(Duration.ofSeconds(70), held::release);
    assertThat(process.client.lock("a").acquire().isHeld()).isTrue();
  }

  /** One call asks for all that wait. */
  @Test
  void aQueueThatCannotBeReadKeepsNoOtherFromBeingLookedAt() {
    Grant good = other.client.lock("good").acquire();
    Grant bad = other.client.lock("unreadable").acquire();
    process.network =
        sent -> {
          // A name of which no id of a session, which is hexadecimal, can be a part.
          if (sent.is("look") && sent.args().toString().contains("unreadable")) {
            throw useless(true);
          }
          return sent.pass();
        };
    CompletableFuture<Grant> waitsForBad = process.client.lock("unreadable").acquireAsync();
    CompletableFuture<Grant> waitsForGood = process.client.lock("good").acquireAsync();
    world.after(Duration.ofMinutes(3), good::release);
    world.time.advance(Duration.ofMinutes(4));
    assertThat(waitsForGood.join().isHeld()).isTrue();
    assertThatThrownBy(waitsForBad::join).hasCauseInstanceOf(BackendUnusableException.class);
    assertThat(bad.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"end", "overtake"})
  void whoeverWaitsIsToldIfTheDeadCannotBeRemovedForLong(String verb) {
    world.joinAndDie("a", 1);
    process.network =
        sent -> {
          if (sent.is(verb)) {
            throw useless(false);
          }
          return sent.pass();
        };
    assertThatThrownBy(() -> process.client.lock("a").acquire())
        .isInstanceOf(BackendUnusableException.class);
    process.network = World.Sent::pass;
    assertThat(process.client.lock("a").acquire(World.TTL).isHeld()).isTrue();
  }

  @Test
  void renewalsGoOnAndOperatorsAreTold() {
    Grant grant = process.client.lock("a").acquire();
    process.network = nothingFrom("renew");
    world.time.advance(World.TTL.dividedBy(2));
    process.network = World.Sent::pass;
    world.time.advance(World.TTL);
    grant.check();
    assertThat(process.events)
        .filteredOn(LockEvent.HeartbeatFailed.class::isInstance)
        .allMatch(event -> event.toString().contains("renew answered null"))
        .isNotEmpty();
  }

  @Test
  void aReleaseThatAnswersNothingIsRepeated() {
    Grant grant = process.client.lock("a").acquire();
    process.network = nothingFrom("release");
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.PENDING);
    process.network = World.Sent::pass;
    assertThat(other.client.lock("a").acquire(World.TTL.dividedBy(3)).isHeld()).isTrue();
  }

  @Test
  void hintsThatCannotBeHadCostNothingButTime() {
    Grant held = other.client.lock("a").acquire();
    process.network = nothingFrom("listen");
    world.after(Duration.ofSeconds(1), held::release);
    assertThat(process.client.lock("a").acquire().isHeld()).isTrue();
  }

  @Test
  void whateverElseIsAskedFailsWithTheMistake() {
    process.client.lock("a").acquire();
    LockRecord seen = process.client.find("a").orElseThrow();
    for (String verb : List.of("inspect", "list", "revoke", "resume")) {
      process.network = nothingFrom(verb);
      assertMistake(
          verb,
          () -> {
            switch (verb) {
              case "inspect" -> process.client.find("a");
              case "list" -> process.client.list("").forEach(lock -> {});
              case "revoke" -> process.client.revoke(seen, RevokeWhen.SAFELY);
              default -> process.client.resume(SessionId.fresh());
            }
          });
    }
    process.network = sent -> sent.is("list") ? Arrays.asList(nothing()) : sent.pass();
    assertMistake("list", () -> process.client.list("").forEach(lock -> {}));
  }

  /** Otherwise the heartbeats would keep what no thread can give back. */
  @Test
  void anAdapterThatFailsToNameItsStoreIsClosedAllTheSame() {
    MemoryStore store = new MemoryStore("unnamed", MemoryOptions.DEFAULTS);
    LockBackend backend = store.connect(BackendOptions.DEFAULTS);
    AtomicBoolean isUnnamed = new AtomicBoolean();
    LockClient client =
        RealTime.client(
            new ThreadedSeam(),
            (LockBackend)
                Proxy.newProxyInstance(
                    LockBackend.class.getClassLoader(),
                    new Class<?>[] {LockBackend.class},
                    (proxy, method, args) -> {
                      if (isUnnamed.get() && method.getParameterCount() == 0) {
                        assertThat(method.getName()).isIn("describe", "capabilities", "close");
                        if (!method.getName().equals("close")) {
                          throw new IllegalStateException("not now (test)");
                        }
                      }
                      return method.invoke(backend, args);
                    }));
    try (LockClient others =
        RealTime.client(new ThreadedSeam(), store.connect(BackendOptions.DEFAULTS))) {
      client.lock("a").acquire();
      isUnnamed.set(true);

      client.close();

      assertThat(others.lock("a").tryAcquire()).isPresent();
    }
  }
}
