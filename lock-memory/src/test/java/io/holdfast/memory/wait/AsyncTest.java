package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Acquires for which no thread waits, in virtual time. */
class AsyncTest {

  /** More than are looked at in one call, or told of the end of their session in one turn. */
  private static final int MANY = 2_500;

  /** More than are looked at in one call, and few enough to be looked at often. */
  private static final int TWO_SLICES = 1_100;

  /** How many ask at a time, of one partition. */
  private static final int AT_A_TIME = 6;

  /** How many ask at a time for which a thread waits. */
  private static final int THREADS_AT_A_TIME = 12;

  /** How many withdraw at a time. */
  private static final int WITHDRAW_AT_A_TIME = 8;

  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration ONE_WAY = Duration.ofMillis(50);

  private static List<Grant> hold(World.Peer holder, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> holder.client.lock("lock-" + i).acquire(LONG))
        .toList();
  }

  private static List<CompletableFuture<Grant>> ask(World.Peer waiter, int count) {
    List<CompletableFuture<Grant>> asked = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      asked.add(waiter.client.lock("lock-" + i).acquireAsync());
    }
    return asked;
  }

  private static List<CompletableFuture<Optional<Grant>>> askOnce(World.Peer one, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> one.client.lock("once-" + i).tryAcquireAsync())
        .toList();
  }

  private static void requireGranted(World world, List<CompletableFuture<Grant>> asked) {
    requireGrantedWithin(world, asked, Duration.ofMinutes(2));
  }

  private static void requireGrantedWithin(
      World world, List<CompletableFuture<Grant>> asked, Duration time) {
    assertThat(world.time.runUntil(() -> asked.stream().allMatch(CompletableFuture::isDone), time))
        .as("whether all are done")
        .isTrue();
    assertThat(asked).allSatisfy(each -> assertThat(each.join().isHeld()).isTrue());
  }

  @Test
  void aFewAskAtATimeInOrder() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    one.calls.clear();
    one.seam.latency(ONE_WAY);
    List<CompletableFuture<Grant>> asked = ask(one, 4 * AT_A_TIME);
    for (int round = 1; round <= 4; round++) {
      world.time.advance(ONE_WAY.multipliedBy(2).minusMillis(1));
      assertThat(one.count("grab")).isEqualTo((long) round * AT_A_TIME);
      world.time.advance(Duration.ofMillis(1));
      assertThat(asked.subList(0, round * AT_A_TIME)).allMatch(CompletableFuture::isDone);
    }
    requireGranted(world, asked);
  }

  /** The session of them all is opened in the background, and what follows is done there. */
  @Test
  void threadsWhoseSessionIsOpenedAskAFewAtATime() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = world.process();
    one.seam.latency(ONE_WAY);
    List<Long> grabs = new ArrayList<>();
    Duration roundTrip = ONE_WAY.multipliedBy(2);
    for (int round = 1; round <= 3; round++) {
      Duration justBeforeItsEnd = roundTrip.multipliedBy(1L + round).minusMillis(1);
      world.after(justBeforeItsEnd, () -> grabs.add(one.count("grab")));
    }
    List<Grant> granted = new ArrayList<>();
    for (int i = 0; i < 3 * THREADS_AT_A_TIME; i++) {
      String lock = "lock-" + i;
      world.after(Duration.ZERO, () -> granted.add(one.client.lock(lock).acquire(LONG)));
    }
    world.time.advance(Duration.ofSeconds(2));
    assertThat(grabs).containsExactly(12L, 24L, 36L);
    assertThat(granted).hasSize(3 * THREADS_AT_A_TIME).allMatch(Grant::isHeld);
  }

  /** Else one that asks once would be told after hours, behind thousands of slow calls. */
  @Test
  void aThreadThatAsksOnceIsToldWhenItHasNotComeToAsk() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = world.process();
    one.network = World.dead().on("grab");
    List<Duration> told = new ArrayList<>();
    for (int i = 0; i < THREADS_AT_A_TIME + 1; i++) {
      String lock = "lock-" + i;
      world.after(
          Duration.ZERO,
          () -> {
            long begunNanos = world.time.nanos();
            assertThatThrownBy(() -> one.client.lock(lock).tryAcquire())
                .isInstanceOf(BackendUnreachableException.class);
            told.add(Duration.ofNanos(world.time.nanos() - begunNanos));
          });
    }
    world.time.advance(Duration.ofMinutes(1));
    assertThat(told)
        .hasSize(THREADS_AT_A_TIME + 1)
        .allMatch(time -> time.compareTo(Duration.ofSeconds(6)) < 0);
    assertThat(one.count("grab")).isEqualTo(THREADS_AT_A_TIME);
  }

  /** Their calls are made in the background, since no interrupt may break them. */
  @Test
  void threadsThatCannotBeInterruptedAndAsyncAcquiresDoNotKeepEachOtherWaiting() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    one.seam.latency(ONE_WAY);
    List<CompletableFuture<Grant>> asked = ask(one, 1_000);
    long begunNanos = world.time.nanos();
    AcquireOptions options = AcquireOptions.within(LONG).uninterruptibly();
    one.client.lock("another").acquire(options).release();
    assertThat(Duration.ofNanos(world.time.nanos() - begunNanos))
        .isLessThan(ONE_WAY.multipliedBy(4));
    requireGranted(world, asked);
  }

  /** For example one that is far away, and asks its servers about some at a time. */
  @Test
  void aStoreThatTellsOfSomeInTimeIsAskedAboutSome() {
    World world = new World(Wakeup.POLL);
    List<Grant> held = hold(world.process(), TWO_SLICES);
    World.Peer waiter = world.process();
    waiter.network =
        World.dead().where(sent -> sent.is("look") && ((List<?>) sent.args().get(1)).size() > 200);
    List<CompletableFuture<Grant>> asked = ask(waiter, TWO_SLICES);
    world.time.advance(Duration.ofMinutes(1));

    held.forEach(Grant::release);

    requireGranted(world, asked);
  }

  @Test
  void aCallThatHangsTakesOnePlaceUntilItIsGivenUp() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = world.process();
    one.network =
        World.dead()
            .where(sent -> sent.is("grab") && sent.args().get(0).toString().contains("lock-0"));
    List<CompletableFuture<Grant>> asked = ask(one, 100);
    requireGranted(world, asked.subList(1, 100));
    assertThat(asked.get(0)).isNotDone();
    one.network = World.Sent::pass;
    requireGranted(world, asked);
  }

  @Test
  void aStoreThatIsDownIsAskedByAFewAtATimeUntilItIsBack() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    one.calls.clear();
    one.network = World.down().on("grab");
    List<CompletableFuture<Grant>> asked = ask(one, MANY);
    world.time.advance(Duration.ofMinutes(1));
    // Each rests for 20 ms at least before it asks again, and so does their line.
    assertThat(one.count("grab")).isPositive().isLessThan(AT_A_TIME * 60_000 / 20);
    assertThat(asked).noneMatch(CompletableFuture::isDone);
    one.network = World.Sent::pass;
    requireGranted(world, asked);
  }

  @Test
  void whoeverIsCancelledInTheLineAsksNothing() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    one.calls.clear();
    one.seam.latency(ONE_WAY);
    List<CompletableFuture<Grant>> asked = ask(one, 3 * AT_A_TIME);
    asked.forEach(each -> each.cancel(false));
    world.time.advance(Duration.ofSeconds(1));
    assertThat(one.count("grab")).isEqualTo(AT_A_TIME);
    assertThat(one.count("release")).isEqualTo(AT_A_TIME);
    requireGranted(world, ask(world.process(), 3 * AT_A_TIME));
  }

  @Test
  void aThreadDoesNotWaitInTheLineOfTheOthers() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    one.seam.latency(ONE_WAY);
    List<CompletableFuture<Grant>> asked = ask(one, 1_000);
    long begunNanos = world.time.nanos();
    Grant last = one.client.lock("another").acquire(LONG);
    assertThat(world.time.nanos()).isEqualTo(begunNanos);
    last.release();
    CompletableFuture<Grant> inLine = one.client.lock("another").acquireAsync();
    world.after(Duration.ofMillis(1), () -> inLine.cancel(false));
    one.client.lock("another").acquire(LONG).release();
    assertThat(Duration.ofNanos(world.time.nanos() - begunNanos))
        .isLessThan(ONE_WAY.multipliedBy(4));
    requireGranted(world, asked);
  }

  private static World.Peer withOpenSession(World world) {
    World.Peer one = world.process();
    one.client.lock("first").acquire().release();
    return one;
  }

  private static World.Network away(boolean hangs) {
    return hangs ? World.dead() : World.down();
  }

  /** A process whose session is open, and whose grabs do not reach the store. */
  private static World.Peer whoseGrabsFail(World world) {
    World.Peer one = withOpenSession(world);
    one.network = World.down().on("grab");
    return one;
  }

  /** How long a thread waits that comes before a request is cancelled and the store is back. */
  private static Duration timeOfAThreadAfter(
      CompletableFuture<Grant> cancelled, World.Peer one, World world) {
    world.after(Duration.ofMillis(1), () -> cancelled.cancel(false));
    world.after(Duration.ofMillis(2), () -> one.network = World.Sent::pass);
    long begunNanos = world.time.nanos();
    one.seam.latency(ONE_WAY);
    one.client.lock("another").acquire(LONG).release();
    return Duration.ofNanos(world.time.nanos() - begunNanos);
  }

  /** A request that rests has no place in the store's queue that a thread could go on with. */
  @Test
  void aThreadDoesNotGoOnWithAWishThatLinesUpAgain() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = whoseGrabsFail(world);
    CompletableFuture<Grant> rests = one.client.lock("another").acquireAsync();
    world.time.advance(Duration.ofMillis(1));
    List<CompletableFuture<Grant>> asked = ask(one, MANY);
    world.time.advance(Duration.ofMillis(100)); // It is at the end of the line now.
    assertThat(timeOfAThreadAfter(rests, one, world)).isLessThan(ONE_WAY.multipliedBy(8));
    requireGranted(world, asked);
  }

  /** The thread goes on with a request that is being asked, which then has to ask again. */
  @Test
  void aWishThatAThreadGoesOnWithLinesUpNoMore() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = whoseGrabsFail(world);
    CompletableFuture<Grant> rests = one.client.lock("another").acquireAsync();
    List<CompletableFuture<Grant>> asked = ask(one, MANY);
    // It rests for longer than until it is cancelled.
    assertThat(timeOfAThreadAfter(rests, one, world)).isLessThan(ONE_WAY.multipliedBy(20));
    requireGranted(world, asked);
  }

  /** As after the fail-over of one of several servers. */
  @Test
  void whatIsDelayedForLongKeepsNothingElseFromAsking() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = world.process();
    Duration delay = Duration.ofSeconds(60);
    one.network =
        sent ->
            sent.args().get(0) instanceof Request request
                    && request.name().value().startsWith("lock-")
                    && Duration.ofNanos(world.time.nanos()).compareTo(delay) < 0
                ? new Attempt.Delayed(delay, "a guard of the test's")
                : sent.pass();
    List<CompletableFuture<Grant>> delayed = ask(one, 4 * AT_A_TIME);
    CompletableFuture<Optional<Grant>> tried = one.client.lock("free").tryAcquireAsync();
    world.time.advance(Duration.ofSeconds(1));

    assertThat(tried).isCompletedWithValueMatching(Optional::isPresent);
    requireGranted(world, delayed);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneThatTimesOutInTheLineOfAStoreThatIsAwayIsToldSo(boolean hangs) {
    World world = new World(Wakeup.PUSH);
    World.Peer one = whoseGrabsFail(world);
    one.network = hangs ? World.dead() : one.network;
    List<CompletableFuture<Grant>> asked = ask(one, MANY);
    world.time.advance(Duration.ofSeconds(1));
    AcquireOptions within = AcquireOptions.within(Duration.ofSeconds(3));
    CompletableFuture<Optional<Grant>> timesOut = one.client.lock("x").tryAcquireAsync(within);
    world.time.advance(Duration.ofSeconds(3));
    assertThat(failure(timesOut)).isInstanceOf(BackendUnreachableException.class);
    assertThat(asked).noneMatch(CompletableFuture::isDone);
  }

  /** That one lock's calls hang says nothing of the store, which answers the others. */
  @Test
  void oneThatTimesOutInALongLineIsNotToldThatTheStoreIsAway() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    one.seam.latency(ONE_WAY);
    one.network = World.dead().where(sent -> sent.toString().contains("lock-0"));
    List<CompletableFuture<Grant>> asked = ask(one, MANY);
    AcquireOptions within = AcquireOptions.within(Duration.ofSeconds(3));
    CompletableFuture<Optional<Grant>> timesOut = one.client.lock("x").tryAcquireAsync(within);
    world.time.advance(Duration.ofSeconds(3));
    assertThat(timesOut).isCompletedWithValue(Optional.empty());
    requireGranted(world, asked.subList(1, MANY));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneThatAsksOnceDoesNotWaitBehindThoseThatWait(boolean isAway) {
    World world = new World(Wakeup.PUSH);
    World.Peer one = whoseGrabsFail(world);
    one.network = isAway ? one.network : World.Sent::pass;
    one.seam.latency(ONE_WAY);
    List<CompletableFuture<Grant>> asked = ask(one, MANY);
    world.time.advance(Duration.ofMillis(1));
    CompletableFuture<Optional<Grant>> tried = one.client.lock("x").tryAcquireAsync();
    world.time.advance(Duration.ofSeconds(2));
    if (isAway) {
      assertThat(failure(tried)).isInstanceOf(BackendUnreachableException.class);
    } else {
      assertThat(tried).isCompletedWithValueMatching(Optional::isPresent);
    }
    assertThat(asked).anyMatch(each -> !each.isDone());
  }

  /** They are not asked one after the other until the store is back. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachThatAsksOnceIsAnsweredSoonWhileTheStoreIsAway(boolean hangs) {
    World world = new World(Wakeup.PUSH);
    World.Peer one = whoseGrabsFail(world);
    one.network = hangs ? World.dead() : one.network;
    CompletableFuture<Grant> waits = one.client.lock("another").acquireAsync();
    world.time.advance(Duration.ofSeconds(10));
    List<CompletableFuture<Optional<Grant>>> tried = askOnce(one, MANY);
    world.time.advance(Duration.ofSeconds(7)); // One call's time, and one more pause.
    assertThat(tried)
        .allSatisfy(
            each -> assertThat(failure(each)).isInstanceOf(BackendUnreachableException.class));
    one.network = World.Sent::pass;
    requireGranted(world, List.of(waits));
  }

  /** A connection that breaks tells nothing of the store. */
  @Test
  void oneCallThatFailsAtOnceFailsNoOtherThatAsksOnce() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    one.seam.latency(ONE_WAY);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    one.network = World.down().where(sent -> sent.is("grab") && isFirst.getAndSet(false));
    List<CompletableFuture<Optional<Grant>>> tried = askOnce(one, 10 * AT_A_TIME);
    world.time.advance(Duration.ofSeconds(10));
    assertThat(failure(tried.get(0))).isInstanceOf(BackendUnreachableException.class);
    assertThat(tried.subList(1, tried.size()))
        .allSatisfy(each -> assertThat(each).isCompletedWithValueMatching(Optional::isPresent));
  }

  /** Those that wait are let in between those that ask once, again and again. */
  @Test
  void locksThatHangAndAreTriedAgainAndAgainKeepNoOtherFromBeingAsked() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = whoseOnlyFails(world, true);
    List<CompletableFuture<Optional<Grant>>> tried = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int which = i % 2;
      world.after(
          Duration.ofSeconds(i),
          () -> tried.add(one.client.lock("fails-" + which).tryAcquireAsync()));
    }
    world.time.advance(Duration.ofSeconds(12));
    CompletableFuture<Grant> healthy = one.client.lock("x").acquireAsync();
    world.time.advance(Duration.ofSeconds(15));
    assertThat(healthy).isCompletedWithValueMatching(Grant::isHeld);
    assertThat(tried.get(0)).isCompletedExceptionally();
  }

  @Test
  void allThatTimeOutBeforeTheFirstCallIsGivenUpAreToldThatTheStoreDoesNotAnswer() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = whoseGrabsFail(world);
    one.network = World.dead();
    AcquireOptions within = AcquireOptions.within(Duration.ofSeconds(3));
    List<CompletableFuture<Optional<Grant>>> tried =
        IntStream.range(0, 4 * AT_A_TIME)
            .mapToObj(i -> one.client.lock("lock-" + i).tryAcquireAsync(within))
            .toList();
    world.time.advance(Duration.ofSeconds(3));
    assertThat(tried)
        .allSatisfy(
            each -> assertThat(failure(each)).isInstanceOf(BackendUnreachableException.class));
  }

  /** As where its row is locked. The requests for others are asked and answered meanwhile. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneLockWhoseCallsFailKeepsNoOtherFromBeingAsked(boolean hangs) {
    World world = new World(Wakeup.PUSH);
    World.Peer one = whoseOnlyFails(world, hangs);
    CompletableFuture<Grant> fails = one.client.lock("fails").acquireAsync();
    for (int i = 0; i < 10; i++) {
      world.time.advance(Duration.ofSeconds(3));
      CompletableFuture<Grant> healthy = one.client.lock("x").acquireAsync();
      world.time.advance(Duration.ofSeconds(1));
      assertThat(healthy).isCompletedWithValueMatching(Grant::isHeld);
      healthy.join().release();
    }
    one.network = World.Sent::pass;
    requireGranted(world, List.of(fails));
  }

  private static World.Peer whoseOnlyFails(World world, boolean hangs) {
    World.Peer one = withOpenSession(world);
    one.network = away(hangs).where(sent -> sent.is("grab") && sent.toString().contains("fails"));
    return one;
  }

  /**
   * The store is back, and shows it to threads alone: those that were let in ask for locks whose
   * calls hang.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theTroubleOfALineEndsWhenAThreadIsAnswered(boolean releases) {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    Grant held = one.client.lock("held").acquire();
    one.network = World.down().on("grab");
    List<CompletableFuture<Grant>> asked = ask(one, 2);
    world.time.advance(Duration.ofSeconds(10));
    one.network = World.dead().where(sent -> sent.is("grab") && sent.toString().contains("lock-"));
    world.time.advance(Duration.ofSeconds(2)); // Both ask.

    if (releases) {
      held.release();
    } else {
      one.client.lock("another").acquire();
    }

    CompletableFuture<Optional<Grant>> tried = one.client.lock("x").tryAcquireAsync();
    world.time.advance(Duration.ofMillis(1));
    assertThat(tried).isCompletedWithValueMatching(Optional::isPresent);
    assertThat(asked).noneMatch(CompletableFuture::isDone);
  }

  /** Of those that were let in, the first is answered while others wait to be let in. */
  @Test
  void noneAsksUnderASessionThatIsKnownToBeOver() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    one.seam.latency(ONE_WAY);
    List<SessionId> sessions = new ArrayList<>();
    one.network =
        sent -> {
          if (sent.args().get(0) instanceof Request request) {
            sessions.add(request.id().session());
            if (request.id().session().equals(sessions.get(0))) {
              return new Attempt.SessionOver();
            }
          }
          return sent.pass();
        };
    List<CompletableFuture<Grant>> asked = ask(one, 4 * AT_A_TIME);
    requireGranted(world, asked);
    assertThat(sessions).filteredOn(sessions.get(0)::equals).hasSize(AT_A_TIME);
  }

  /** The removals take longer than it takes to hear of the end of the session. */
  @Test
  void whoRemovesDeadWaitersAsksUnderNoSessionThatHasEndedMeanwhile() {
    World world = new World(Wakeup.PUSH, 3);
    Grant held = world.process().client.lock("a").acquire();
    world.joinAndDie("a", 3);
    world.time.advance(World.TTL.multipliedBy(2));
    World.Peer one = withOpenSession(world);
    one.seam.latency(Duration.ofSeconds(2));
    List<SessionId> sessions = new ArrayList<>();
    AtomicBoolean isOver = new AtomicBoolean();
    one.network =
        sent -> {
          if (sent.is("inspect")) {
            isOver.set(true);
          } else if (sent.is("renew") && isOver.get() && sent.args().contains(sessions.get(0))) {
            return new Renewed.Over();
          } else if (sent.is("grab")) {
            sessions.add(((Request) sent.args().get(0)).id().session());
          }
          return sent.pass();
        };
    CompletableFuture<Grant> asked = one.client.lock("a").acquireAsync();
    world.after(Duration.ofMinutes(2), held::release);

    requireGrantedWithin(world, List.of(asked), Duration.ofMinutes(5));
    assertThat(sessions).filteredOn(sessions.get(0)::equals).hasSize(1);
  }

  /** A thread goes on with its request, and has no place in the line of the others. */
  @Test
  void aThreadThatWaitsForALockWhoseCallsFailKeepsNoOtherFromBeingAsked() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = whoseOnlyFails(world, false);
    CompletableFuture<Grant> cancelled = one.client.lock("fails").acquireAsync();
    List<CompletableFuture<Optional<Grant>>> tried = new ArrayList<>();
    world.after(Duration.ofMillis(50), () -> cancelled.cancel(false));
    for (int i = 1; i <= 20; i++) {
      String lock = "once-" + i;
      world.after(Duration.ofSeconds(i), () -> tried.add(one.client.lock(lock).tryAcquireAsync()));
    }
    assertThatThrownBy(() -> one.client.lock("fails").acquire(Duration.ofSeconds(30)))
        .isInstanceOf(BackendUnreachableException.class);
    assertThat(tried)
        .hasSize(20)
        .allSatisfy(each -> assertThat(each).isCompletedWithValueMatching(Optional::isPresent));
  }

  @Test
  void thoseThatAskOnceLeaveTurnsToThoseThatWait() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = withOpenSession(world);
    one.seam.latency(ONE_WAY);
    List<CompletableFuture<Optional<Grant>>> tried = askOnce(one, 200);
    List<CompletableFuture<Grant>> asked = ask(one, 2 * AT_A_TIME);
    world.time.advance(ONE_WAY.multipliedBy(12));
    assertThat(asked).allMatch(CompletableFuture::isDone);
    assertThat(tried).anyMatch(each -> !each.isDone());
  }

  /** As a master of a cluster that is down: the others serve their locks as before. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPartitionThatDoesNotAnswerKeepsNoOtherFromBeingAsked(boolean hangs) {
    World world = new World(Wakeup.PUSH);
    World.Peer one = world.process();
    one.partition = name -> name.value().startsWith("lock-") ? 0 : 1;
    for (String name : List.of("lock-0", "x")) { // Both sessions are open.
      CompletableFuture<Grant> first = one.client.lock(name).acquireAsync();
      requireGranted(world, List.of(first));
      first.join().release();
    }
    one.network = away(hangs).where(sent -> sent.is("grab") && sent.toString().contains("lock-"));
    one.seam.latency(ONE_WAY);
    List<CompletableFuture<Grant>> asked = ask(one, MANY);
    world.time.advance(Duration.ofMillis(1));
    for (int i = 0; i < 10; i++) {
      CompletableFuture<Grant> healthy = one.client.lock("x").acquireAsync();
      world.time.advance(ONE_WAY.multipliedBy(2));
      assertThat(healthy).isCompletedWithValueMatching(Grant::isHeld);
      world.after(Duration.ZERO, healthy.join()::release);
      world.time.advance(Duration.ofSeconds(1));
    }
    assertThat(asked).noneMatch(CompletableFuture::isDone);
    one.network = World.Sent::pass;
    requireGranted(world, asked);
  }

  /** Of two masters of a cluster one is down, with half of the partitions. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyPartitionsThatDoNotAnswerKeepNoOtherFromBeingAsked(boolean hangs) {
    World world = new World(Wakeup.PUSH);
    World.Peer one = world.process();
    int partitions = 16;
    one.partition = name -> Integer.parseInt(name.value()) % partitions;
    List<CompletableFuture<Grant>> first =
        IntStream.range(0, partitions)
            .mapToObj(i -> one.client.lock(Integer.toString(i)).acquireAsync())
            .toList();
    requireGranted(world, first); // All sessions are open.
    first.forEach(each -> each.join().release());
    one.network =
        away(hangs)
            .where(
                sent ->
                    sent.args().get(0) instanceof Request request
                        && Integer.parseInt(request.name().value()) % 2 == 0);
    List<CompletableFuture<Grant>> dead =
        IntStream.range(0, MANY)
            .mapToObj(i -> one.client.lock(Integer.toString(2 * i)).acquireAsync())
            .toList();
    world.time.advance(Duration.ofSeconds(20)); // In which the trouble of each is known.
    for (int i = 1; i < 2 * partitions; i += 2) {
      CompletableFuture<Grant> healthy = one.client.lock(Integer.toString(i)).acquireAsync();
      world.time.advance(Duration.ofMillis(1));
      assertThat(healthy).isCompletedWithValueMatching(Grant::isHeld);
      world.time.advance(Duration.ofSeconds(1));
    }
    assertThat(dead).noneMatch(CompletableFuture::isDone);
    one.network = World.Sent::pass;
    requireGranted(world, dead);
  }

  @Test
  void manyThatAreCancelledLeaveTheStoreAFewAtATime() {
    World world = new World(Wakeup.PUSH);
    World.Peer holder = world.process();
    List<Grant> held = hold(holder, 5 * WITHDRAW_AT_A_TIME);
    World.Peer waiter = world.process();
    List<CompletableFuture<Grant>> asked = ask(waiter, 5 * WITHDRAW_AT_A_TIME);
    world.time.advance(Duration.ofSeconds(1));
    waiter.calls.clear();
    waiter.seam.latency(ONE_WAY);
    asked.forEach(each -> each.cancel(false));
    world.time.advance(ONE_WAY.plusMillis(1));
    assertThat(waiter.count("release")).isEqualTo(WITHDRAW_AT_A_TIME);
    world.time.advance(ONE_WAY.multipliedBy(10));
    assertThat(waiter.count("release")).isEqualTo(5L * WITHDRAW_AT_A_TIME);
    assertThat(held)
        .allSatisfy(
            each ->
                assertThat(holder.client.find(each.name().value()).orElseThrow().waiting())
                    .isZero());
  }

  /** Without hints, or with all of them lost, the looks find every grant. */
  @ParameterizedTest
  @EnumSource
  void looksInSlicesFindEveryGrant(Wakeup wakeup) {
    World world = new World(wakeup);
    List<Grant> held = hold(world.process(), TWO_SLICES);
    World.Peer waiter = world.process();
    waiter.network =
        sent -> {
          if (sent.is("listen")) {
            throw World.unreachable();
          }
          if (sent.is("look")) {
            assertThat((List<?>) sent.args().get(1)).hasSizeLessThanOrEqualTo(1_000);
          }
          return sent.pass();
        };
    List<CompletableFuture<Grant>> asked = ask(waiter, TWO_SLICES);
    world.time.advance(World.TTL);
    assertThat(asked).noneMatch(CompletableFuture::isDone);
    held.forEach(Grant::release);
    requireGranted(world, asked);
  }

  @Test
  void eachHeartbeatLooksAtEachOnceThoughTheStoreTellsAll() {
    World world = new World(Wakeup.PUSH);
    List<Grant> held = hold(world.process(), MANY);
    World.Peer waiter = world.process();
    List<CompletableFuture<Grant>> asked = ask(waiter, MANY);
    world.time.advance(Duration.ofMinutes(1));
    waiter.calls.clear();
    world.time.advance(World.TTL);
    long slices = (MANY + 999) / 1_000;
    assertThat(waiter.count("look")).isEqualTo(waiter.count("renew") * slices);
    held.forEach(Grant::release);
    requireGranted(world, asked);
  }

  @Test
  void whenTheirSessionIsOverAllGoOnUnderAnother() {
    World world = new World(Wakeup.PUSH);
    World.Peer holder = world.process();
    List<Grant> held = hold(holder, MANY);
    World.Peer waiter = world.process();
    List<CompletableFuture<Grant>> asked = ask(waiter, MANY);
    world.time.advance(Duration.ofSeconds(1));
    waiter.network = World.dead();
    world.time.advance(World.TTL.multipliedBy(3));
    waiter.network = World.Sent::pass;
    world.time.advance(World.TTL.multipliedBy(2));
    assertThat(asked).noneMatch(CompletableFuture::isDone);
    held.forEach(Grant::release);
    requireGranted(world, asked);
  }

  @Test
  void aFutureTellsWhyTheLockWasNotGrantedInTime() {
    World world = new World(Wakeup.PUSH);
    Grant unused = world.process().client.lock("a").acquire();
    World.Peer one = world.process();
    CompletableFuture<Grant> held = one.client.lock("a").acquireAsync(Duration.ofSeconds(3));
    world.time.advance(Duration.ofMillis(2_999));
    assertThat(held).isNotDone();
    world.time.advance(Duration.ofMillis(1));
    assertThat(failure(held))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("Timed out after 3 s waiting for the lock \"a\"");
    one.network = World.down();
    CompletableFuture<Grant> unreachable = one.client.lock("b").acquireAsync(Duration.ofSeconds(3));
    CompletableFuture<Grant> once = one.client.lock("c").acquireAsync(Duration.ZERO);
    world.time.advance(Duration.ofSeconds(3));
    assertThat(failure(unreachable)).isInstanceOf(BackendUnreachableException.class);
    assertThat(failure(once)).isInstanceOf(BackendUnreachableException.class);
  }

  private static Throwable failure(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    return future.handle((result, thrown) -> unwrapped(thrown)).join();
  }

  private static Throwable unwrapped(Throwable thrown) {
    return thrown instanceof CompletionException wrapper && wrapper.getCause() != null
        ? wrapper.getCause()
        : thrown;
  }

  @Test
  void numbersArePassedOnAndKeptLikeThoseOfThreads() {
    World world = new World(Wakeup.PUSH);
    World.Peer one = world.process();
    AcquireOptions cached = AcquireOptions.forever().cached();
    Grant ofThread = one.client.lock("a").acquire(cached);
    CompletableFuture<Grant> next = one.client.lock("a").acquireAsync(cached);
    ofThread.release();
    requireGranted(world, List.of(next));
    next.join().release();
    CompletableFuture<Grant> again = one.client.lock("a").acquireAsync(cached);
    requireGranted(world, List.of(again));
    assertThat(again.join().token()).isGreaterThan(next.join().token());
    assertThat(one.count("grab")).isEqualTo(1);
    assertThat(one.count("release")).isZero();
  }
}
