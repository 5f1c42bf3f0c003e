package io.holdfast.tck.client.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockMode;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.Readings;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.watch.Watch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Watching locks. */
@Topic(value = "WAT", level = Level.CORE, clause = "LockClient.watch")
public interface WatchRules extends ClientFixture {

  /** How often the watches of these rules look. */
  public Duration SOON = Duration.ofMillis(50);

  /** A watch that looks so seldom is told of a change by a hint alone. */
  public Duration SELDOM = Duration.ofHours(1);

  /** For how long something that must not happen is looked for. */
  public Duration QUIET = Duration.ofMillis(500);

  private void until(BooleanSupplier done) {
    await().atMost(longWait()).until(done::getAsBoolean);
  }

  private static Predicate<LockRecord> heldBy(Grant grant) {
    return lock -> lock.isHeld() && lock.number() == grant.token().number();
  }

  private static boolean isFree(LockRecord lock) {
    return lock.holders().isEmpty() && lock.waiting() == 0;
  }

  /** Waits until the watch has made whole looks that began after this. */
  private void untilLooked(TestClient watcher) {
    long answers = watcher.answers(Verb.WATCH);
    until(() -> watcher.answers(Verb.WATCH) >= answers + 2);
  }

  @Test
  @Rule("HF-WAT-01")
  default void aWatchIsToldOfEachStateThatStaysAndOfNoneTwice() {
    TestClient one = client();
    TestClient two = client();
    TestClient watcher = client();
    ToldStates told = new ToldStates();
    try (Watch ignored = watcher.client().watch(NAME, SOON, told)) {
      until(() -> told.lastIs(WatchRules::isFree));
      Grant first = one.hold(NAME);
      until(() -> told.lastIs(heldBy(first)));
      Waiting waits = two.waitFor(NAME, longWait());
      until(() -> told.lastIs(lock -> heldBy(first).test(lock) && lock.waiting() == 1));
      first.release();
      Grant second = waits.grant();
      until(() -> told.lastIs(lock -> heldBy(second).test(lock) && lock.waiting() == 0));
      second.release();
      until(() -> told.lastIs(WatchRules::isFree));
      untilLooked(watcher);
    }
    List<LockRecord> states = told.states().stream().map(Readings::timeless).toList();
    for (int i = 1; i < states.size(); i++) {
      assertThat(states.get(i)).as("what was told after that").isNotEqualTo(states.get(i - 1));
    }
    assertThat(watcher.count(Verb.OPEN)).as("sessions of a client that watches").isZero();
  }

  @Test
  @Rule("HF-WAT-02")
  default void aLapseAndAnEvictionAreChanges() {
    TestClient lapses = client(SHORT_TTL);
    TestClient evicted = steadyClient();
    TestClient watcher = client();
    ToldStates lapse = new ToldStates();
    ToldStates eviction = new ToldStates();
    try (Watch one = watcher.client().watch(NAME, SOON, lapse);
        Watch two = watcher.client().watch("another", SOON, eviction)) {
      Grant leaves = evicted.hold("another");
      until(() -> eviction.lastIs(heldBy(leaves)));
      takeUntilTold(lapses, lapse);

      lapses.faults().always(Fault.callLost());
      watcher.client().revoke(watcher.client().find("another").orElseThrow(), RevokeWhen.NOW);

      until(() -> eviction.lastIs(WatchRules::isFree));
      until(() -> lapse.lastIs(lock -> !lock.isHeld()));
    }
  }

  /** Takes the lock, and again if its lease has run out before the watch has told of it. */
  private void takeUntilTold(TestClient client, ToldStates told) {
    until(
        () -> {
          Grant grant = client.acquire(NAME, longWait());
          until(() -> told.lastIs(heldBy(grant)) || !grant.isHeld());
          boolean isTold = told.lastIs(heldBy(grant));
          if (!isTold) {
            grant.release();
          }
          return isTold;
        });
  }

  /** Returns what the next look of a watch is answered. */
  private Sighting nextSighting(TestClient watcher) {
    List<Sighting> seen = new CopyOnWriteArrayList<>();
    watcher
        .faults()
        .next(
            Verb.WATCH,
            call -> {
              Sighting answer = (Sighting) call.proceed();
              seen.add(answer);
              return answer;
            });
    until(() -> !seen.isEmpty());
    return seen.get(0);
  }

  /** Has the next look of a watch see an earlier state, and waits until it has. */
  private void showAgain(TestClient watcher, Sighting earlier) {
    AtomicInteger shown = new AtomicInteger();
    watcher
        .faults()
        .next(
            Verb.WATCH,
            call -> {
              shown.incrementAndGet();
              return earlier;
            });
    until(() -> shown.get() == 1);
  }

  /** A server that was cut off, or an answer that was held up, may show what has long passed. */
  @Test
  @Rule(value = "HF-WAT-03", marked = 23)
  default void anOlderStateIsNeverToldAfterANewerOne() {
    TestClient one = client();
    TestClient watcher = client();
    ToldStates told = new ToldStates();
    try (Watch ignored = watcher.client().watch(NAME, SOON, told)) {
      Grant first = one.hold(NAME);
      until(() -> told.lastIs(heldBy(first)));
      Sighting older = nextSighting(watcher);
      first.release();
      Grant second = client().hold(NAME);
      until(() -> told.lastIs(heldBy(second)));

      showAgain(watcher, older);

      second.release();
      until(() -> told.lastIs(WatchRules::isFree));
      assertThat(afterThe(heldBy(second), told)).noneMatch(heldBy(first));
    }
  }

  /** As above, in a store that tells the states of one grant apart. */
  @Test
  @Rule(value = "HF-WAT-12", marked = 23)
  default void anOlderStateOfTheSameGrantIsNeverToldAfterANewerOne() {
    TestClient one = client();
    TestClient watcher = client();
    ToldStates told = new ToldStates();
    try (Watch ignored = watcher.client().watch(NAME, SOON, told)) {
      Grant first = one.hold(NAME);
      until(() -> told.lastIs(heldBy(first)));
      Sighting older = nextSighting(watcher);
      Waiting waits = client().waitFor(NAME, longWait());
      until(() -> told.lastIs(lock -> lock.waiting() == 1));
      Sighting newer = nextSighting(watcher);
      NotApplicableException.unless(
          older.edition().orElseThrow().compareTo(newer.edition().orElseThrow()) < 0,
          "This store does not count the changes under a number.");

      showAgain(watcher, older);

      first.release();
      waits.grant().release();
      until(() -> told.lastIs(WatchRules::isFree));
      assertThat(afterThe(lock -> lock.waiting() == 1, told))
          .noneMatch(lock -> heldBy(first).test(lock) && lock.waiting() == 0);
    }
  }

  private static List<LockRecord> afterThe(Predicate<LockRecord> first, ToldStates told) {
    return told.states().stream().dropWhile(first.negate()).toList();
  }

  /** In stores where each reader has a number of its own, the greatest one leaves first here. */
  @Test
  @Rule(value = "HF-WAT-04", marked = 23)
  default void aReaderThatLeavesAndAReleaseToNobodyAreNoOlderStates() {
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "Locks of this store are exclusive.");
    AcquireOptions shared = AcquireOptions.within(longWait()).shared();
    TestClient watcher = client();
    ToldStates told = new ToldStates();
    try (Watch ignored = watcher.client().watch(NAME, SOON, told)) {
      Grant older = client().client().lock(NAME).acquire(shared);
      Grant younger = client().client().lock(NAME).acquire(shared);
      until(() -> told.lastIs(lock -> lock.holders().size() == 2));

      younger.release();
      until(() -> told.lastIs(lock -> lock.holders().size() == 1));
      older.release();
      until(() -> told.lastIs(WatchRules::isFree));
    }
  }

  @Test
  @Rule("HF-WAT-05")
  default void aSlowListenerIsToldTheLatestStateOnly() {
    TestClient one = client();
    TestClient watcher = client();
    CountDownLatch mayReturn = new CountDownLatch(1);
    ToldStates slow =
        new ToldStates() {
          @Override
          public void changed(LockRecord lock) {
            super.changed(lock);
            try {
              boolean unused = mayReturn.await(longWait().toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    try (Watch ignored = watcher.client().watch(NAME, SOON, slow)) {
      until(() -> slow.states().size() == 1);
      for (int i = 0; i < 3; i++) {
        Grant between = one.hold(NAME);
        untilLooked(watcher);
        between.release();
      }
      Grant last = one.hold(NAME);
      untilLooked(watcher);

      mayReturn.countDown();

      until(() -> slow.lastIs(heldBy(last)));
      assertThat(slow.states()).hasSize(2);
    }
  }

  @Test
  @Rule("HF-WAT-06")
  default void aListenerThatThrowsIsToldWhatFollows() {
    TestClient one = client();
    ToldStates throwing =
        new ToldStates() {
          @Override
          public void changed(LockRecord lock) {
            super.changed(lock);
            throw new IllegalStateException("Thrown by a listener, to see what follows.");
          }
        };
    try (Watch ignored = client().client().watch(NAME, SOON, throwing)) {
      until(() -> throwing.lastIs(WatchRules::isFree));
      Grant grant = one.hold(NAME);
      until(() -> throwing.lastIs(heldBy(grant)));
    }
  }

  @Test
  @Rule("HF-WAT-07")
  default void whenTheStoreAnswersAgainTheLatestStateIsTold() {
    TestClient one = client();
    TestClient watcher = client();
    ToldStates told = new ToldStates();
    try (Watch ignored = watcher.client().watch(NAME, SOON, told)) {
      until(() -> told.lastIs(WatchRules::isFree));
      watcher.faults().always(Fault.callLost());
      until(() -> told.all().contains("failed"));
      Grant grant = one.hold(NAME);
      long failed = watcher.count(Verb.WATCH);
      until(() -> watcher.count(Verb.WATCH) >= failed + 2);

      watcher.faults().heal();

      until(() -> told.lastIs(heldBy(grant)));
      assertThat(told.all()).containsExactly("changed", "failed", "recovered", "changed");
    }
  }

  @Test
  @Rule("HF-WAT-08")
  default void whereNobodyWatchesNothingIsSent() {
    TestClient one = client();
    TestClient watcher = client();
    ToldStates closed = new ToldStates();
    ToldStates left = new ToldStates();
    try (Watch ignored = watcher.client().watch(NAME, SOON, closed)) {
      until(() -> !closed.states().isEmpty());
    }
    untilQuiet(watcher, Verb.WATCH, QUIET);
    Watch open = watcher.client().watch(NAME, SOON, left);
    until(() -> !left.states().isEmpty());
    watcher.client().close();
    untilQuiet(watcher, Verb.WATCH, QUIET);

    one.hold(NAME).release();

    await()
        .during(QUIET)
        .atMost(longWait())
        .until(() -> closed.states().size() == 1 && left.states().size() == 1);
    assertThat(one.count(Verb.WATCH) + one.count(Verb.LIST))
        .as("reads of a client that watches nothing")
        .isZero();
    open.close();
    assertThatThrownBy(() -> watcher.client().watch(NAME, left))
        .isInstanceOf(ClientClosedException.class);
  }

  @Test
  @Rule("HF-WAT-09")
  default void theLocksOfAPrefixAreWatchedAndNoOthers() {
    TestClient one = client();
    TestClient watcher = client(Holdfast.builder().namePrefix("orders/"));
    ToldStates told = new ToldStates();
    Grant first = one.hold("orders/1");
    Grant other = one.hold("order");
    try (Watch ignored = watcher.client().watchPrefix("", SOON, told)) {
      until(() -> told.lastIs(heldBy(first)));
      Grant second = one.hold("orders/2");
      until(() -> told.lastIs(heldBy(second)));
      other.release();
      first.release();
      until(() -> told.lastIs(WatchRules::isFree));
      assertThat(told.states().stream().map(lock -> lock.name().value()).toList())
          .as("the names that were told")
          .containsExactly("1", "2", "1");
    }
  }

  @Test
  @Rule("HF-WAT-10")
  default void aHintBringsALookAtOnce() {
    TestClient one = client();
    TestClient watcher = client();
    ToldStates told = new ToldStates();
    try (Watch ignored = watcher.client().watch(NAME, SELDOM, told)) {
      until(() -> told.lastIs(WatchRules::isFree));
      HintListener hints =
          watcher.sent().stream()
              .flatMap(call -> call.invocation().arguments().stream())
              .filter(HintListener.class::isInstance)
              .map(HintListener.class::cast)
              .findFirst()
              .orElseThrow();
      Grant grant = one.hold(NAME);

      hints.accept(LOCK);

      await().atMost(longWait()).until(() -> told.lastIs(heldBy(grant)));
    }
  }

  @Test
  @Rule("HF-WAT-11")
  default void whatCannotBeWatchedIsRefused() {
    TestClient one = client();
    ToldStates told = new ToldStates();
    for (Duration wrong : List.of(Duration.ZERO, Duration.ofMillis(9), Duration.ofDays(2))) {
      assertThatThrownBy(() -> one.client().watch(NAME, wrong, told))
          .as("an interval of %s", wrong)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining(NAME);
    }
    assertThatThrownBy(() -> one.client().watch("", told)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> one.client().watchPrefix("\ud800", told))
        .isInstanceOf(BadRequestException.class);
    assertThat(one.sent()).as("what was sent").isEmpty();
  }
}
