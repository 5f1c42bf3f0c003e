package io.holdfast.tck.rules.call;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static io.holdfast.tck.fixture.StoreFixture.MAX_CLOCK_STEP;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Observed;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EachStep;
import io.holdfast.tck.fixture.EveryOrder;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * Two clients revoke the same holder, atomic step by atomic step, in every order. The holder is
 * never told of more time than it has, no matter what each of them wants.
 */
@Topic(
    value = "TWR",
    level = Level.PROCESSES,
    clause = "LockBackend.revoke, revokeIn: first the holder's session, then the lock's record")
public interface TwoRevokersRules extends SpiRules {

  /** A notice that none of these rules sees the end of. */
  Duration LONG_NOTICE = LONG.multipliedBy(20);

  /** One that is longer than a TTL all the same. */
  Duration SHORT_NOTICE = LONG.multipliedBy(2);

  /** One of the two. */
  interface Revoker {
    /** Revokes. */
    Revocation revoke(LockBackend backend, Observed holder);
  }

  private static Revoker safely() {
    return (backend, holder) -> backend.revoke(holder, RevokeWhen.SAFELY, StoreFixture.soon());
  }

  private static Revoker now() {
    return (backend, holder) -> backend.revoke(holder, RevokeWhen.NOW, StoreFixture.soon());
  }

  private static Revoker in(Duration notice) {
    return (backend, holder) -> backend.revokeIn(holder, notice, StoreFixture.soon());
  }

  /**
   * Has both revoke in every order.
   *
   * @param check is given what the holder is told of the time that it has left, and as what others
   *     have seen it just before that; as none if the lock was free
   */
  private void inEveryOrder(
      Revoker first, Revoker second, BiConsumer<Duration, Optional<Holder>> check) {
    fixture().requireStays(Stays.REVOKE_LATER);
    SpiClient holder = fixture().client();
    SpiClient other = fixture().client();
    EveryOrder.of(
        fixture(),
        (one, two, name, order) -> {
          Held held = holder.hold(name);

          order.play(
              one.steps(),
              () -> first.revoke(one.client().backend(), held.observed()),
              two.steps(),
              () -> second.revoke(two.client().backend(), held.observed()));

          Optional<Holder> seen = other.inspect(name).flatMap(LockRecord::holder);
          check.accept(told(holder, held), seen);
          holder.release(held);
          holder.acknowledge(held.request());
        },
        holder,
        other);
  }

  private static Duration told(SpiClient holder, Held held) {
    List<Notice> notices = holder.renewed().notices();
    assertThat(notices).as("what the renewal of %s answers", held).hasSize(1);
    assertThat(notices.get(0)).isInstanceOf(Notice.Revoked.class);
    Notice.Revoked notice = (Notice.Revoked) notices.get(0);
    assertThat(notice.request()).as("who is told of %s", held).isEqualTo(held.request().id());
    return notice.left();
  }

  private static Duration stay(Optional<Holder> seen) {
    return seen.flatMap(Holder::stay).map(Stay::left).orElseThrow();
  }

  private static void requireSafe(Duration told, Optional<Holder> seen) {
    assertThat(told).as("the time of a holder that has to stop").isZero();
    assertThat(stay(seen))
        .as("what is left of the whole TTL")
        .isLessThanOrEqualTo(LONG.plus(MAX_CLOCK_STEP.multipliedBy(2)));
  }

  @Test
  @Rule("HF-TWR-01")
  default void aSafeRevocationLeavesNoNoticeInAnyOrder() {
    inEveryOrder(in(LONG_NOTICE), safely(), TwoRevokersRules::requireSafe);
  }

  @Test
  @Rule("HF-TWR-02")
  default void aRevocationNowLeavesNoNoticeInAnyOrder() {
    inEveryOrder(
        in(LONG_NOTICE),
        now(),
        (told, seen) -> {
          assertThat(seen).as("who holds what was taken away").isEmpty();
          assertThat(told).as("the time of a holder that was removed").isZero();
        });
  }

  @Test
  @Rule("HF-TWR-03")
  default void ofTwoNoticesTheHolderHasTheShorterInAnyOrder() {
    inEveryOrder(
        in(SHORT_NOTICE),
        in(LONG_NOTICE),
        (told, seen) -> {
          assertThat(stay(seen))
              .as("what is left of the shorter notice")
              .isLessThanOrEqualTo(SHORT_NOTICE.plus(MAX_CLOCK_STEP.multipliedBy(2)));
          assertThat(told)
              .as("what the holder is told, beside what is left")
              .isLessThanOrEqualTo(stay(seen));
        });
  }

  @Test
  @Rule("HF-TWR-04")
  default void twoSafeRevocationsAreOneInAnyOrder() {
    inEveryOrder(safely(), safely(), TwoRevokersRules::requireSafe);
  }

  /** A holder that was told to stop may have given up: no client lets it go on. */
  @Test
  @Rule("HF-TWR-05")
  default void aRevocationThatBrokeOffIsNotTakenBackByANotice() {
    fixture().requireStays(Stays.REVOKE_LATER);
    SpiClient other = fixture().client();
    EachStep.of(
        fixture(),
        (scene, step) -> {
          SpiClient holder = fixture().client();
          Held held = holder.hold(scene.name());
          scene.at().arm(step, TwoRevokersRules::die);
          try {
            safely().revoke(scene.stepped().backend(), held.observed());
          } catch (RuntimeException died) {
            assertThat(died).hasStackTraceContaining(StepAction.ClientDied.class.getName());
          }
          boolean reached = scene.at().disarm();
          boolean wasTold = !holder.toldRevoked().isEmpty();

          Revocation revoked = in(LONG_NOTICE).revoke(other.backend(), held.observed());

          assertThat(revoked).isInstanceOf(Revocation.Marked.class);
          assertThat(told(holder, held).isZero())
              .as("whether the holder has no time, where it was told so: %s", wasTold)
              .isEqualTo(wasTold);
          return reached;
        });
  }

  private static void die() {
    throw new StepAction.ClientDied();
  }
}
