package io.holdfast.tck.rules.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockMode;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.Readings;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which requests hold a lock together, and which wait for which. */
@Topic(value = "SHR", level = Level.CORE, clause = "LockBackend.grab, release, overtake, downgrade")
public interface SharedRules extends SpiRules {

  @Test
  @Rule("HF-SHR-01")
  default void sharedRequestsHoldTogether() {
    fixture().requireSharedMode();
    SpiClient one = fixture().client();
    SpiClient other = fixture().client();

    Held first = one.share(LOCK);
    Held second = other.share(LOCK);

    assertThat(one.holding(first.request())).isEqualTo(first);
    assertThat(other.holding(second.request())).isEqualTo(second);
    LockRecord record = one.inspect(LOCK).orElseThrow();
    assertThat(record.holders()).extracting(Holder::mode).containsOnly(LockMode.SHARED);
    assertThat(record.holders())
        .extracting(Holder::request)
        .containsExactly(first.request().id(), second.request().id());
    assertThat(one.refused(LOCK).liveness()).isEqualTo(Liveness.LIVE);
    assertThat(one.release(first)).isEqualTo(Released.SHARED);
    assertThat(other.release(second)).isEqualTo(Released.FREED);
    one.requireFree(LOCK);
  }

  /** A writer's token is above those of all readers before it and below those of all after it. */
  @Test
  @Rule(value = "HF-SHR-02", marked = 17)
  default void anExclusiveNumberIsBetweenTheSharedOnesBeforeAndAfterIt() {
    fixture().requireSharedMode();
    SpiClient one = fixture().client();
    SpiClient other = fixture().client();
    Held before = one.share(LOCK);
    Held joined = other.share(LOCK);
    Request waits = fixture().client().queue(LOCK);
    SpiClient last = fixture().client();
    Request after = last.queueShared(LOCK);

    one.release(before);
    other.release(joined);
    long exclusive = number(waits);
    fixture().client().release(waits);

    assertThat(exclusive).isGreaterThan(before.number()).isGreaterThan(joined.number());
    assertThat(last.holding(after).number()).isGreaterThan(exclusive);
  }

  private long number(Request holds) {
    return SpiClient.of(fixture().connect(), holds.id().session()).holding(holds).number();
  }

  @Test
  @Rule(value = "HF-SHR-03", marked = 16)
  default void anExclusiveRequestWaitsForAllThatShare() {
    fixture().requireSharedMode();
    SpiClient one = fixture().client();
    SpiClient other = fixture().client();
    SpiClient writer = fixture().client();
    Held first = one.share(LOCK);
    Held second = other.share(LOCK);
    Request waits = writer.queue(LOCK);

    assertThat(one.release(first)).isEqualTo(Released.SHARED);
    writer.waiting(waits);
    assertThat(other.release(second)).isEqualTo(Released.HANDED_ON);

    writer.holding(waits);
  }

  /**
   * A waiter that polls does so the more rarely the more are ahead, and those that share leave
   * together.
   */
  @Test
  @Rule("HF-SHR-15")
  default void whereWaitersPollAllThatShareCountAsOne() {
    fixture().requireSharedMode();
    NotApplicableException.unless(
        fixture().capabilities().wakeup() == Wakeup.POLL, "The store wakes those that wait.");
    for (int i = 0; i < 3; i++) {
      fixture().client().share(LOCK);
    }
    SpiClient writer = fixture().client();
    Request waits = writer.queue(LOCK);
    SpiClient next = fixture().client();
    Request behind = next.queue(LOCK);

    assertThat(writer.waiting(waits).ahead()).isEqualTo(1);
    assertThat(next.waiting(behind).ahead()).isEqualTo(2);
  }

  @Test
  @Rule("HF-SHR-04")
  default void aSharedRequestPassesNoExclusiveOneThatWaits() {
    fixture().requireSharedMode();
    SpiClient reader = fixture().client();
    Held held = reader.share(LOCK);
    SpiClient writer = fixture().client();
    Request waits = writer.queue(LOCK);

    SpiClient late = fixture().client();
    Request behind = late.queueShared(LOCK);
    Request once = late.request(LOCK, IfHeld.REFUSE, "", behind.payload()).with(LockMode.SHARED);

    assertThat(late.grab(once)).isInstanceOf(Attempt.Refused.class);
    late.waiting(behind);
    assertThat(reader.grab(held.request())).isInstanceOf(Attempt.Granted.class);
    assertThat(reader.release(held)).isEqualTo(Released.HANDED_ON);
    writer.holding(waits);
    late.waiting(behind);
  }

  @Test
  @Rule("HF-SHR-05")
  default void allSharedRequestsBeforeTheNextExclusiveOneAreLetInTogether() {
    fixture().requireSharedMode();
    SpiClient client = fixture().client();
    Held exclusive = client.hold(LOCK);
    SpiClient others = fixture().client();
    Request first = others.queueShared(LOCK);
    Request second = others.queueShared(LOCK);
    Request writer = others.queue(LOCK);
    Request third = others.queueShared(LOCK);

    assertThat(client.release(exclusive)).isEqualTo(Released.HANDED_ON);

    others.holding(first);
    others.holding(second);
    others.waiting(writer);
    others.waiting(third);
  }

  @Test
  @Rule("HF-SHR-06")
  default void aWithdrawnExclusiveRequestLetsTheSharedOnesBehindItIn() {
    fixture().requireSharedMode();
    SpiClient client = fixture().client();
    Held held = client.share(LOCK);
    Request writer = client.queue(LOCK);
    SpiClient other = fixture().client();
    Request behind = other.queueShared(LOCK);
    Request furtherBehind = other.queueShared(LOCK);

    assertThat(client.release(writer)).isEqualTo(Released.WAS_WAITING);

    other.holding(behind);
    other.holding(furtherBehind);
    client.holding(held.request());
  }

  /** The first waiter is told of every holder that does not count, and can remove each. */
  @Test
  @Rule(value = "HF-SHR-07", marked = 18)
  default void deadHoldersAreRemovedOneByOneAndTheLivingStay() {
    fixture().requireSharedMode();
    SpiClient living = fixture().client();
    SpiClient dead = fixture().client();
    SpiClient alsoDead = fixture().client();
    Held first = dead.share(LOCK);
    Held stays = living.share(LOCK);
    Held third = alsoDead.share(LOCK);
    SpiClient writer = fixture().client();
    Request waits = writer.queue(LOCK);
    dead.closeSession();
    alsoDead.closeSession();

    List<Obstacle> obstacles = writer.waiting(waits).obstacles();
    for (Obstacle obstacle : obstacles) {
      assertThat(obstacle.isHead()).isTrue();
      assertThat(writer.overtake(waits, obstacle.head())).isEqualTo(new Attempt.Queued());
    }

    assertThat(writer.inspect(LOCK).orElseThrow().holders())
        .extracting(Holder::request)
        .doesNotContain(first.request().id(), third.request().id())
        .containsExactly(stays.request().id());
    assertThat(writer.waiting(waits).obstacles()).isEmpty();
    assertThat(living.release(stays)).isEqualTo(Released.HANDED_ON);
    writer.holding(waits);
  }

  /** Else a dead writer in the middle keeps readers out for as long as those ahead of it stay. */
  @Test
  @Rule(value = "HF-SHR-08", marked = 18)
  default void aDeadExclusiveRequestThatWaitsKeepsNoSharedOneOut() {
    fixture().requireSharedMode();
    SpiClient reader = fixture().client();
    Held held = reader.share(LOCK);
    SpiClient dead = fixture().client();
    dead.queue(LOCK);
    SpiClient late = fixture().client();
    Request behind = late.queueShared(LOCK);
    dead.closeSession();

    if (late.standing(behind) instanceof Standing.Waiting waiting) {
      for (Obstacle obstacle : waiting.obstacles()) {
        assertThat(obstacle.isHead()).isFalse();
        late.backend().release(LOCK, obstacle.request(), StoreFixture.soon());
      }
    }

    late.holding(behind);
    reader.holding(held.request());
  }

  @Test
  @Rule("HF-SHR-09")
  default void oneOfThreeIsRevokedAndTheOthersStay() {
    fixture().requireSharedMode();
    SpiClient one = fixture().client();
    SpiClient two = fixture().client();
    SpiClient three = fixture().client();
    Held first = one.share(LOCK);
    Held second = two.share(LOCK);
    Held third = three.share(LOCK);

    Revocation revocation = one.revoke(second.observed(), RevokeWhen.NOW);

    assertThat(revocation).isInstanceOf(Revocation.Freed.class);
    assertThat(two.toldRevoked()).containsExactly(second.request().id());
    assertThat(two.standing(second.request())).isEqualTo(new Standing.Absent());
    one.holding(first.request());
    three.holding(third.request());
  }

  /** It is told, and no other; the lock is not freed under it, nor for a writer. */
  @Test
  @Rule(value = "HF-SHR-13", marked = 6)
  default void oneOfThreeThatIsRevokedSafelyHoldsUntilItReleases() {
    fixture().requireSharedMode();
    SpiClient one = fixture().client();
    SpiClient two = fixture().client();
    SpiClient three = fixture().client();
    Held first = one.share(LOCK);
    Held second = two.share(LOCK);
    Held third = three.share(LOCK);
    SpiClient writer = fixture().client();
    Request waits = writer.queue(LOCK);

    assertThat(one.revoke(second.observed(), RevokeWhen.SAFELY))
        .isInstanceOf(Revocation.Marked.class);

    assertThat(two.toldRevoked()).containsExactly(second.request().id());
    assertThat(one.toldRevoked()).isEmpty();
    assertThat(three.toldRevoked()).isEmpty();
    two.holding(second.request());
    assertThat(two.release(second)).isEqualTo(Released.SHARED);
    one.holding(first.request());
    three.holding(third.request());
    writer.waiting(waits);
    assertThat(one.release(first)).isEqualTo(Released.SHARED);
    assertThat(three.release(third)).isEqualTo(Released.HANDED_ON);
    writer.holding(waits);
  }

  @Test
  @Rule(value = "HF-SHR-10", marked = 17)
  default void aDowngradeLetsSharedRequestsInAndNoExclusiveOne() {
    fixture().requireSharedMode();
    SpiClient client = fixture().client();
    Held exclusive = client.hold(LOCK);
    SpiClient others = fixture().client();
    Request reader = others.queueShared(LOCK);
    Request writer = others.queue(LOCK);

    Held shared = client.downgrade(exclusive);

    assertThat(client.holding(exclusive.request()).number()).isEqualTo(shared.number());
    assertThat(others.holding(reader).number()).isGreaterThan(exclusive.number());
    others.waiting(writer);
    assertThat(client.downgrade(exclusive).number()).isEqualTo(shared.number());
    assertThat(client.release(shared)).isEqualTo(Released.SHARED);
    assertThat(others.release(reader)).isEqualTo(Released.HANDED_ON);
    assertThat(others.holding(writer).number()).isGreaterThan(shared.number());
  }

  @Test
  @Rule("HF-SHR-11")
  default void onlyAHolderIsDowngraded() {
    fixture().requireSharedMode();
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient other = fixture().client();
    Request waits = other.queue(LOCK);
    Request gone = other.request(LOCK);

    assertThat(other.backend().downgrade(waits.key(), StoreFixture.soon())).isEmpty();
    assertThat(other.backend().downgrade(gone.key(), StoreFixture.soon())).isEmpty();

    other.waiting(waits);
    assertThat(holder.holding(held.request())).isEqualTo(held);
  }

  /** A store whose locks are exclusive says so before anything is changed. */
  @Test
  @Rule("HF-SHR-12")
  default void whereLocksAreExclusiveASharedRequestIsABadRequest() {
    NotApplicableException.unless(
        !fixture().capabilities().modes().contains(LockMode.SHARED), "This store has shared mode.");
    SpiClient client = fixture().client();

    assertThatThrownBy(() -> client.grab(client.sharedRequest(LOCK)))
        .isInstanceOf(BadRequestException.class);
    Held held = client.hold(LOCK);
    assertThatThrownBy(() -> client.backend().downgrade(held.request().key(), StoreFixture.soon()))
        .isInstanceOf(BadRequestException.class);

    assertThat(client.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-SHR-14")
  default void aQueueBehindThoseWhoShareIsReadPageByPage() {
    fixture().requireSharedMode();
    SpiClient first = fixture().client();
    first.share(LOCK);
    fixture().client().share(LOCK);
    Held last = fixture().client().share(LOCK);
    SpiClient other = fixture().client();
    List<RequestId> waiting = Stream.generate(() -> other.queue(LOCK).id()).limit(4).toList();

    LockRecord record = first.backend().inspect(LOCK, 2, StoreFixture.soon()).orElseThrow();

    assertThat(record.holders()).as("those who share %s", LOCK).hasSize(3);
    assertThat(record.waiters()).extracting(Waiter::request).isEqualTo(waiting.subList(0, 2));
    assertThat(record.waiting()).as("how many wait for %s in all", LOCK).isEqualTo(4);
    List<Holder> again =
        first.backend().inspect(LOCK, 0, StoreFixture.soon()).orElseThrow().holders();
    assertThat(Readings.timelessHolders(again))
        .isEqualTo(Readings.timelessHolders(record.holders()));
    assertThat(
            first
                .backend()
                .waitersBehind(LOCK, waiting.get(1), 5, StoreFixture.soon())
                .orElseThrow())
        .extracting(Waiter::request)
        .isEqualTo(waiting.subList(2, 4));
    assertThat(first.backend().waitersBehind(LOCK, last.request().id(), 3, StoreFixture.soon()))
        .as("behind a holder, which does not wait")
        .isEmpty();
  }
}
