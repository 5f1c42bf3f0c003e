package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.record.Retirement;
import io.holdfast.record.Retirement.InUse;
import io.holdfast.record.Retirement.LiveSession;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.fixture.StoreFixture;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/**
 * A retirement may be interrupted before any of its commands, and others may come before any: no
 * session of version 1 is open when the present version is let in.
 */
class MongoRetirementStepsTest extends ImitationTestBase {

  /**
   * The namespace, a look, two for each session, those over, the index, the locks, the namespace.
   */
  private static final int COMMANDS_MIN = 12;

  private static final long TTL = StoreFixture.LONG.toMillis();

  private enum Came {
    IN,
    IN_VAIN
  }

  private static Came came(boolean in) {
    return in ? Came.IN : Came.IN_VAIN;
  }

  private static boolean comesIn(FormerClient newcomer) {
    return newcomer.open(TTL) && newcomer.grab("new");
  }

  @Test
  void whoRetiresMayDieAndAnotherGoesOn() {
    boolean died = true;
    for (int step = 1; died; step++) {
      try (FormerCollections former = FormerCollections.write()) {
        died = former.dies(step);
        if (died) {
          former.requireRefused();
          assertThat(former.retire())
              .as("after an interruption before command %s", step)
              .isEqualTo(FormerCollections.RETIRED);
        } else {
          assertThat(step).isGreaterThan(COMMANDS_MIN);
        }
        former.requireRetired();
      }
    }
  }

  @Test
  void whoComesAfterAnInterruptionPreventsItOrIsRefused() {
    Set<Came> seen = EnumSet.noneOf(Came.class);
    boolean died = true;
    for (int step = 1; died; step++) {
      try (FormerCollections former = FormerCollections.write()) {
        died = former.dies(step);
        FormerClient newcomer = former.newcomer();
        boolean in = comesIn(newcomer);
        seen.add(came(in));
        if (in) {
          assertThat(died).isTrue();
          requirePrevented(former, newcomer, former.retire(), step);
          former.pass(StoreFixture.LONG.multipliedBy(2));
        }
        if (died) {
          former.requireRefused();
          assertThat(former.retire()).isEqualTo(FormerCollections.RETIRED);
        }
        former.requireRetired();
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(Came.values());
  }

  private static void requirePrevented(
      FormerCollections former, FormerClient newcomer, Retirement outcome, int step) {
    assertThat(outcome).as("with one before command %s", step).isInstanceOf(InUse.class);
    assertThat(((InUse) outcome).sessions())
        .extracting(LiveSession::session, live -> live.process().value())
        .containsExactly(tuple(new SessionId(newcomer.session()), FormerClient.PROCESS));
    former.requireRefused();
    assertThat(newcomer.renew()).as("the client that has prevented it").isTrue();
    assertThat(newcomer.release("new")).isTrue();
    assertThat(comesIn(former.newcomer())).as("another one of its version").isTrue();
  }

  /**
   * Has a client of version 1 do something before each command of a retirement in turn, and returns
   * how it went.
   *
   * @param act returns whether a session of that version is open from then on
   */
  private static Set<Came> interleave(Predicate<FormerCollections> act) {
    Set<Came> seen = EnumSet.noneOf(Came.class);
    boolean reached = true;
    for (int step = 1; reached; step++) {
      try (FormerCollections former = FormerCollections.write()) {
        AtomicBoolean in = new AtomicBoolean();
        StepAction at = new StepAction();
        at.arm(step, () -> in.set(act.test(former)));

        Retirement outcome = former.retire(at);

        reached = at.disarm();
        if (in.get()) {
          assertThat(outcome).as("with one before command %s", step).isInstanceOf(InUse.class);
          former.requireRefused();
          former.pass(StoreFixture.LONG.multipliedBy(2));
          outcome = former.retire();
        }
        assertThat(outcome)
            .as("with one before command %s", step)
            .isEqualTo(FormerCollections.RETIRED);
        former.requireRetired();
        if (reached) {
          seen.add(came(in.get()));
        }
      }
    }
    return seen;
  }

  @Test
  void whoOpensASessionMeanwhilePreventsItOrIsRefused() {
    assertThat(interleave(former -> comesIn(former.newcomer())))
        .containsExactlyInAnyOrder(Came.values());
  }

  @Test
  void whoRenewsALapsedSessionMeanwhilePreventsItOrIsToldThatItIsOver() {
    assertThat(interleave(former -> former.holder().renew()))
        .containsExactlyInAnyOrder(Came.values());
  }

  /** Who closes a session that it cannot find writes a document that says so. */
  @Test
  void whoClosesASessionMeanwhilePreventsNothing() {
    Set<Boolean> written = new HashSet<>();

    assertThat(
            interleave(
                former -> {
                  written.add(former.newcomer().close());
                  return false;
                }))
        .containsExactly(Came.IN_VAIN);

    assertThat(written).containsExactlyInAnyOrder(true, false);
  }

  @Test
  void whoComesAndGoesMeanwhilePreventsNothing() {
    assertThat(
            interleave(
                former -> {
                  FormerClient newcomer = former.newcomer();
                  return newcomer.open(TTL) && !newcomer.close();
                }))
        .containsExactly(Came.IN_VAIN);
  }

  /** As a primary might that was elected just now: the index alone would let one session in. */
  @Test
  void whoComesInPlaceOfTheDocumentThatKeepsItOutIsFound() {
    try (FormerCollections former = FormerCollections.write()) {
      FormerClient newcomer = former.newcomer();
      Consumer<String> losesIt =
          command -> {
            if (command.equals("index SESSIONS")) {
              former.collection("sessions").deleteMany(BsonDocument.parse("{ended: 'retired'}"));
              assertThat(comesIn(newcomer)).isTrue();
            }
          };

      assertThat(former.retire(losesIt)).isInstanceOf(InUse.class);

      former.requireRefused();
      former.pass(StoreFixture.LONG.multipliedBy(2));
      assertThat(former.retire()).isEqualTo(FormerCollections.RETIRED);
      former.requireRetired();
    }
  }

  /** One that stands still while another retires goes on beside clients of the present version. */
  @Test
  void whoRetiresWhatIsRetiredTouchesNothingOfThePresentVersion() {
    boolean reached = true;
    for (int step = 2; reached; step++) {
      try (FormerCollections former = FormerCollections.write();
          Present present = new Present(former)) {
        StepAction at = new StepAction();
        at.arm(step, present::begin);

        assertThat(former.retire(at))
            .as("with another before command %s", step)
            .isEqualTo(FormerCollections.RETIRED);

        reached = at.disarm();
        if (reached) {
          present.requireUntouched();
        } else {
          assertThat(step).isGreaterThan(COMMANDS_MIN);
        }
      }
    }
  }

  /** Two of the present version that hold and wait, behind what one of version 1 sent too late. */
  private static final class Present implements AutoCloseable {

    private static final LockName LATE = new LockName("late");

    private final FormerCollections former;
    private final List<LockBackend> backends = new ArrayList<>();
    private final List<Runnable> checks = new ArrayList<>();

    Present(FormerCollections former) {
      this.former = former;
    }

    void begin() {
      assertThat(former.retire()).isEqualTo(FormerCollections.RETIRED);
      SpiClient holder = client();
      Held held = holder.hold(FormerCollections.HELD);
      assertThat(former.holder().join(FormerCollections.HELD.value())).isTrue();
      assertThat(former.holder().grab(LATE.value())).isTrue();
      SpiClient waiter = client();
      Request waiting = waiter.queue(FormerCollections.HELD);
      Request next = waiter.queue(LATE);
      checks.add(
          () -> {
            assertThat(holder.holding(held.request()).number()).isEqualTo(held.number());
            waiter.waiting(waiting);
            assertThat(waiter.standing(next)).isNotInstanceOf(Standing.Absent.class);
          });
    }

    private SpiClient client() {
      LockBackend backend = former.connect();
      backends.add(backend);
      return SpiClient.open(backend, StoreFixture.LONG);
    }

    void requireUntouched() {
      assertThat(checks).hasSize(1);
      checks.get(0).run();
    }

    @Override
    public void close() {
      backends.forEach(LockBackend::close);
    }
  }
}
