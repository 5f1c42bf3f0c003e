package io.holdfast.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.record.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who waits for whom, on records that are written down here. */
class WaitGraphTest {

  private static int requests;

  @Test
  void whoWaitForOneAnotherInALineAreInNoCircle() {
    assertThat(circles(lock("1", holds("a"), waits("b")), lock("2", holds("b"), waits("c"))))
        .isEmpty();
    assertThat(circles(lock("1", holds("a"), waits("b"), waits("c")))).isEmpty();
  }

  @Test
  void twoThatWaitForEachOtherAreACircle() {
    Deadlock found = only(lock("1", holds("a"), waits("b")), lock("2", holds("b"), waits("a")));

    assertThat(found.sessions()).containsExactly(session("b"), session("a"));
    assertThat(found.locks()).containsExactly(new LockName("1"), new LockName("2"));
    assertThat(found.waits().get(0).waiter().process().value()).isEqualTo("process of b");
    assertThat(found.waits().get(0).ahead().session()).isEqualTo(session("a"));
    assertThat(found.waits()).allMatch(Deadlock.Wait::aheadHolds);
  }

  /** As it has one for each TTL, and for each partition. */
  @Test
  void theSessionsOfOneClientAreOneInACircle() {
    Deadlock found =
        only(lock("1", holds("a/1"), waits("b/1")), lock("2", holds("b/2"), waits("a/2")));

    assertThat(found.sessions()).containsExactly(session("b/1"), session("a/2"));
    assertThat(circles(lock("1", holds("a/1"), waits("a/2")), lock("2", holds("a/2")))).isEmpty();
  }

  @Test
  void aSessionThatIsOverTellsNothingOfTheOthersOfItsClient() {
    Holder over = holder("a/1", Liveness.LAPSED, Optional.empty());

    assertThat(circles(lock("1", over, waits("b/1")), lock("2", holds("b/1"), waits("a/2"))))
        .isEmpty();
    assertThat(
            circles(
                lock("1", holds("a/2"), waits("b/1")),
                lock("2", holds("b/1"), waits("a/2")),
                lock("3", over, waits("c"))))
        .hasSize(1);
  }

  @Test
  void threeThatWaitInARoundAreACircle() {
    Deadlock found =
        only(
            lock("1", holds("a"), waits("b")),
            lock("2", holds("b"), waits("c")),
            lock("3", holds("c"), waits("a"), waits("d")),
            lock("4", holds("d")));

    assertThat(found.sessions())
        .containsExactlyInAnyOrder(session("a"), session("b"), session("c"));
    for (int i = 0; i < 3; i++) {
      assertThat(found.waits().get(i).ahead().session())
          .as("for whom wait %d is", i)
          .isEqualTo(found.sessions().get((i + 1) % 3));
    }
  }

  @Test
  void readersWaitForNoReaders() {
    assertThat(
            circles(
                lock("1", reads("a"), reads("b"), waits("x")),
                lock("2", holds("x"), waitsToRead("a"), waitsToRead("b"))))
        .as("x waits for both readers, and they wait for x")
        .extracting(circle -> Set.copyOf(circle.sessions()))
        .containsExactlyInAnyOrder(
            Set.of(session("x"), session("a")), Set.of(session("x"), session("b")));
    // Each would be next if the holder left, and nobody is in the way of the other.
    assertThat(
            circles(
                lock("1", holds("x"), waitsToRead("a"), waitsToRead("b")),
                lock("2", holds("y"), waitsToRead("b"), waitsToRead("a"))))
        .isEmpty();
  }

  @Test
  void aReaderWaitsForAWriterAheadAndSoForTheReadersThatHold() {
    Deadlock found =
        only(
            lock("1", reads("a"), waits("x"), waitsToRead("b")), lock("2", holds("b"), waits("a")));

    assertThat(found.sessions()).containsExactlyInAnyOrder(session("a"), session("b"));
  }

  @Test
  void aCircleMayGoThroughQueuesAlone() {
    Deadlock found =
        only(
            lock("1", holds("x"), waits("a"), waits("b")),
            lock("2", holds("y"), waits("b"), waits("a")));

    assertThat(found.sessions()).containsExactlyInAnyOrder(session("a"), session("b"));
    assertThat(found.waits()).noneMatch(Deadlock.Wait::aheadHolds);
  }

  @Test
  void aHolderThatWillLeaveByItselfDoesNotCount() {
    LockRecord back = lock("2", holds("b"), waits("a"));
    for (Liveness gone : List.of(Liveness.LAPSED, Liveness.ENDED, Liveness.REVOCATION_DUE)) {
      assertThat(circles(lock("1", holder("a", gone, Optional.empty()), waits("b")), back))
          .as("%s", gone)
          .isEmpty();
    }
    for (Stay.Reason reason : Stay.Reason.values()) {
      Optional<Stay> stay = Optional.of(new Stay(reason, Duration.ofSeconds(9)));
      Liveness liveness = reason == Stay.Reason.REVOKED ? Liveness.LIVE : Liveness.STAYING;
      assertThat(circles(lock("1", holder("a", liveness, stay), waits("b")), back))
          .as("%s", reason)
          .isEmpty();
    }
  }

  @Test
  void aSessionThatIsSeenToBeOverAtOneLockIsOverAtAll() {
    assertThat(
            circles(
                lock("1", holds("x"), waits("a"), waits("b")),
                lock("2", holds("y"), waits("b"), waits("a")),
                lock("3", holder("a", Liveness.ENDED, Optional.empty()), waits("c"))))
        .isEmpty();
  }

  @Test
  void aSessionDoesNotWaitForItself() {
    assertThat(circles(lock("1", holds("a"), waits("a")), lock("2", holds("b"), waits("a"))))
        .as("other threads of one client")
        .isEmpty();
  }

  @Test
  void ofCirclesThatLieInEachOtherTheSmallestIsTold() {
    Deadlock found =
        only(
            lock("1", holds("a"), waits("c"), waits("b")),
            lock("2", holds("b"), waits("a")),
            lock("3", holds("c")));

    assertThat(found.sessions()).containsExactlyInAnyOrder(session("a"), session("b"));
  }

  @Test
  void circlesThatHaveNothingInCommonAreToldEach() {
    assertThat(
            circles(
                lock("1", holds("a"), waits("b")),
                lock("2", holds("b"), waits("a")),
                lock("3", holds("c"), waits("d")),
                lock("4", holds("d"), waits("c"))))
        .hasSize(2);
  }

  @Test
  void longQueuesBehindACircleAreNoPartOfIt() {
    Deadlock found =
        only(
            lock("1", queue("w", holds("a"), waits("b"))),
            lock("2", queue("v", holds("b"), waits("a"))));

    assertThat(found.sessions()).containsExactlyInAnyOrder(session("a"), session("b"));
  }

  @Test
  void whoWaitsInSeveralQueuesBehindACircleIsNoPartOfIt() {
    Deadlock found =
        only(
            lock("1", holds("a"), waits("b"), waits("c"), waits("d")),
            lock("2", holds("b"), waits("a"), waits("c"), waits("d")));

    assertThat(found.sessions()).containsExactlyInAnyOrder(session("a"), session("b"));
  }

  /** A thread of a has the lock, and need not wait for what another thread of a waits for. */
  @Test
  void whoHoldsALockAndWaitsForItAsWellIsInNoCircleWithThoseBetween() {
    LockRecord one = lock("2", holds("x"), waits("a"));
    LockRecord two = lock("3", holds("y"), waits("b"));
    LockRecord three = lock("4", holds("z"), waits("c"));

    assertThat(circles(lock("1", reads("a"), waits("b"), waitsToRead("a")), one, two)).isEmpty();
    assertThat(
            circles(
                lock("1", reads("a"), waits("b"), waits("c"), waitsToRead("a")), one, two, three))
        .isEmpty();
  }

  @Test
  void aCircleWithinOneQueueHidesNoOther() {
    LockRecord queue = lock("1", reads("a"), waits("b"), waitsToRead("a"));
    LockRecord other = lock("2", holds("z"), waits("b"), waits("a"));
    for (Deadlock found : List.of(only(queue, other), only(other, queue))) {
      assertThat(found.sessions()).containsExactlyInAnyOrder(session("a"), session("b"));
      assertThat(found.locks()).containsExactlyInAnyOrder(new LockName("1"), new LockName("2"));
    }
  }

  @Test
  void aLongerCircleGoesOverWaitsForOneAnotherInOneQueue() {
    Deadlock found =
        only(
            lock("1", reads("a"), waits("b"), waitsToRead("a")),
            lock("2", holds("b"), waits("c")),
            lock("3", holds("c"), waits("a")));

    assertThat(found.sessions())
        .containsExactlyInAnyOrder(session("a"), session("b"), session("c"));
  }

  private static Object[] queue(String others, Object... first) {
    return Stream.concat(
            Arrays.stream(first), IntStream.range(0, 2_000).mapToObj(i -> waits(others + i)))
        .toArray();
  }

  private static List<Deadlock> circles(LockRecord... records) {
    return new WaitGraph(List.of(records)).circles();
  }

  private static Deadlock only(LockRecord... records) {
    List<Deadlock> found = circles(records);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  /** Holders first, then those who wait, in their order. */
  private static LockRecord lock(String name, Object... queue) {
    List<Holder> holders = new ArrayList<>();
    List<Waiter> waiters = new ArrayList<>();
    for (Object each : queue) {
      if (each instanceof Holder holder) {
        holders.add(holder);
      } else {
        waiters.add((Waiter) each);
      }
    }
    return new LockRecord(new LockName(name), 1, holders, waiters);
  }

  private static Holder holds(String session) {
    return holder(session, Liveness.LIVE, Optional.empty());
  }

  private static Holder reads(String session) {
    return holder(session, LockMode.SHARED, Liveness.LIVE, Optional.empty());
  }

  private static Holder holder(String session, Liveness liveness, Optional<Stay> stay) {
    return holder(session, LockMode.EXCLUSIVE, liveness, stay);
  }

  private static Holder holder(
      String session, LockMode mode, Liveness liveness, Optional<Stay> stay) {
    return new Holder(
        request(session),
        mode,
        new ProcessIdentity("process of " + session),
        "",
        Payload.EMPTY,
        Instant.EPOCH,
        liveness,
        Optional.empty(),
        stay);
  }

  private static Waiter waits(String session) {
    return waiter(session, LockMode.EXCLUSIVE);
  }

  private static Waiter waitsToRead(String session) {
    return waiter(session, LockMode.SHARED);
  }

  private static Waiter waiter(String session, LockMode mode) {
    return new Waiter(
        request(session), mode, new ProcessIdentity("process of " + session), "because");
  }

  private static RequestId request(String session) {
    return new RequestId(session(session), ++requests);
  }

  private static SessionId session(String name) {
    String client = name.substring(0, 1);
    return new SessionId("%016x%016x".formatted(client.hashCode(), name.hashCode()));
  }
}
