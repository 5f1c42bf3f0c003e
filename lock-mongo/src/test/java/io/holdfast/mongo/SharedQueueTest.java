package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.record.Liveness;
import io.holdfast.record.Waiter;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/**
 * Who shares a lock is told by the places in its queue, which others change between any two
 * commands.
 */
class SharedQueueTest extends InterleavedTestBase {

  SharedQueueTest() {
    super("shared", BackendOptions.DEFAULTS);
  }

  private static long number(SpiClient client, Request holds) {
    return client.holding(holds).number();
  }

  @Test
  void aFreeLockIsTakenAndGivenBackInOneCommandEachInSharedModeToo() {
    SpiClient reader = clientUnderTest();
    commands.clear();

    Held held = reader.share(LOCK);
    assertThat(reader.release(held)).isEqualTo(Released.FREED);

    assertThat(commands).hasSize(2);
  }

  /** Whoever shares a lock with others needs a command more, since it does not know that. */
  @Test
  void oneThatSharesComesAndGoesInTwoCommandsEach() {
    client().share(LOCK);
    SpiClient reader = clientUnderTest();
    commands.clear();

    Held joined = reader.share(LOCK);
    assertThat(reader.release(joined)).isEqualTo(Released.SHARED);

    assertThat(commands).hasSize(4);
  }

  /** Otherwise each believes that the other stays, and the next holder gets their number. */
  @Test
  void ofTwoThatLeaveAtOnceTheSecondOneHandsOver() {
    SpiClient first = clientUnderTest();
    SpiClient second = client();
    Held leaves = first.share(LOCK);
    Held leavesToo = second.share(LOCK);
    SpiClient writer = client();
    Request waits = writer.queue(LOCK);
    meanwhile.add(InterleavedTestBase::nothing); // It finds that it is not the last one.
    meanwhile.add(() -> assertThat(second.release(leavesToo)).isEqualTo(Released.SHARED));

    assertThat(first.release(leaves)).isEqualTo(Released.HANDED_ON);

    assertThat(number(writer, waits)).isGreaterThan(leaves.number());
  }

  @Test
  void oneThatIsJoinedWhileItLeavesEndsNothing() {
    SpiClient first = clientUnderTest();
    SpiClient second = client();
    Held leaves = first.share(LOCK);
    List<Held> joined = new ArrayList<>();
    meanwhile.add(() -> joined.add(second.share(LOCK)));

    assertThat(first.release(leaves)).isEqualTo(Released.SHARED);

    assertThat(joined.get(0).number()).isEqualTo(leaves.number());
    assertThat(second.holding(joined.get(0).request())).isEqualTo(joined.get(0));
    assertThat(second.release(joined.get(0))).isEqualTo(Released.FREED);
  }

  @Test
  void aDeadHolderThatIsTheLastWhenItIsRemovedEndsTheRun() {
    SpiClient dead = client();
    SpiClient living = client();
    Held gone = dead.share(LOCK);
    Held stays = living.share(LOCK);
    SpiClient writer = clientUnderTest();
    Request waits = writer.queue(LOCK);
    dead.closeSession();
    meanwhile.add(InterleavedTestBase::nothing); // The lock,
    meanwhile.add(InterleavedTestBase::nothing); // and the sessions, are read.
    meanwhile.add(() -> assertThat(living.release(stays)).isEqualTo(Released.SHARED));

    assertThat(writer.overtake(waits, gone.observed()))
        .isInstanceOfSatisfying(
            Attempt.Granted.class,
            granted -> assertThat(granted.number()).isGreaterThan(gone.number()));
  }

  @Test
  void aDeadHolderThatIsJoinedBeforeItIsRemovedEndsNothing() {
    SpiClient dead = client();
    Held gone = dead.share(LOCK);
    dead.closeSession();
    SpiClient living = client();
    List<Held> joined = new ArrayList<>();
    SpiClient writer = clientUnderTest();
    Request wants = writer.request(LOCK);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(() -> joined.add(living.share(LOCK)));

    assertThat(writer.overtake(wants, gone.observed())).isInstanceOf(Attempt.Refused.class);

    assertThat(joined.get(0).number()).isEqualTo(gone.number());
    assertThat(living.holding(joined.get(0).request())).isEqualTo(joined.get(0));
    assertThat(living.inspect(LOCK).orElseThrow().holders()).hasSize(1);
  }

  /** A record that was made late has too low a number, which those who share it raise but once. */
  @Test
  void whoSharesARecordThatWasMadeLateHasTheNumberOfTheFirst() {
    SpiClient first = client();
    Request request = first.sharedRequest(LOCK);
    assertThat(first.grab(request)).isInstanceOf(Attempt.Granted.class);
    Instant made = first.holder(LOCK).since();
    past.getDatabase(database)
        .getCollection("holdfast_locks", BsonDocument.class)
        .updateOne(
            BsonDocument.parse("{}"), BsonDocument.parse("{$set: {base: {$numberLong: '7'}}}"));

    Held joined = client().share(LOCK);

    assertThat(joined.number()).isGreaterThan(StoreClock.micros(made));
    assertThat(number(first, request)).isEqualTo(joined.number());
    assertThat(client().share(LOCK).number()).isEqualTo(joined.number());
  }

  /** Both have read the low number before either raises it, and the floor rises in between. */
  @Test
  void twoThatRaiseANumberAtOnceHaveTheSame() {
    SpiClient first = client();
    SpiClient second = clientUnderTest();
    Request one = first.sharedRequest(LOCK);
    first.grab(one);
    past.getDatabase(database)
        .getCollection("holdfast_locks", BsonDocument.class)
        .updateOne(
            BsonDocument.parse("{}"), BsonDocument.parse("{$set: {base: {$numberLong: '7'}}}"));
    List<Long> raised = new ArrayList<>();
    meanwhile.add(InterleavedTestBase::nothing); // The lock is not free;
    meanwhile.add(InterleavedTestBase::nothing); // it is shared;
    // Its number is too low, and the floor is read.
    meanwhile.add(
        () -> {
          raised.add(number(first, one));
          past.getDatabase(database)
              .getCollection("holdfast_namespace", BsonDocument.class)
              .updateOne(
                  BsonDocument.parse("{}"),
                  BsonDocument.parse("{$set: {floor: {$numberLong: '4000000000000000'}}}"));
        });

    Held joined = second.share(LOCK);

    assertThat(joined.number()).isEqualTo(raised.get(0));
  }

  @Test
  void asManyMayWaitBehindSeveralHoldersAsBehindOne() {
    BackendOptions two = BackendOptions.DEFAULTS.withMaxWaiters(2);
    for (int i = 0; i < 5; i++) {
      client(MongoSettings.standard(), two).share(LOCK);
    }
    SpiClient client = client(MongoSettings.standard(), two);
    Request first = client.queue(LOCK);
    Request second = client.queueShared(LOCK);

    assertThat(client.grab(client.waitingRequest(LOCK))).isInstanceOf(Attempt.QueueFull.class);
    assertThat(client.grab(client.sharedRequest(LOCK).with(IfHeld.QUEUE)))
        .isInstanceOf(Attempt.QueueFull.class);

    assertThat(client.inspect(LOCK).orElseThrow().waiters())
        .extracting(Waiter::request)
        .containsExactly(first.id(), second.id());
  }

  @Test
  void aDocumentHasRoomForSoManyHoldersAndNoMore() {
    SpiClient client = client();
    for (int i = 0; i < 500; i++) {
      client.share(LOCK);
    }

    assertThat(client.grab(client.sharedRequest(LOCK).with(IfHeld.REFUSE)))
        .isInstanceOf(Attempt.Refused.class);
    assertThat(client.grab(client.sharedRequest(LOCK).with(IfHeld.QUEUE)))
        .isInstanceOf(Attempt.QueueFull.class);
    SpiClient writer = client();
    Request waits = writer.queue(LOCK);
    assertThat(writer.waiting(waits).ahead()).isEqualTo(1);
  }

  /** However many there are, since each of them keeps it waiting. */
  @Test
  void theFirstWaiterLearnsOfADeadHolderAmongMany() {
    SpiClient living = client();
    for (int i = 0; i < 40; i++) {
      living.share(LOCK);
    }
    SpiClient dead = client();
    Held held = dead.share(LOCK);
    living.share(LOCK);
    SpiClient writer = client();
    Request waits = writer.queue(LOCK);

    dead.closeSession();

    assertThat(writer.waiting(waits).obstacles())
        .containsExactly(new Obstacle(held.observed(), held.request().id(), Liveness.ENDED));
  }

  @Test
  void aSharedRequestThatWaitsIsWithdrawn() {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    SpiClient reader = clientUnderTest();
    Request waits = reader.queueShared(LOCK);
    commands.clear();

    assertThat(reader.release(waits)).isEqualTo(Released.WAS_WAITING);

    assertThat(commands).hasSize(3);
    assertThat(holder.release(held)).isEqualTo(Released.FREED);
  }

  /** It has held the lock with the other, and its number counts. */
  @Test
  void aSharedRequestThatComesToHoldWithOthersWhileItIsWithdrawnHasHeld() {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    SpiClient reader = clientUnderTest();
    Request leaves = reader.queueShared(LOCK);
    SpiClient other = client();
    Request stays = other.queueShared(LOCK);
    meanwhile.add(InterleavedTestBase::nothing); // It is no exclusive waiter;
    meanwhile.add(InterleavedTestBase::nothing); // it waits.
    meanwhile.add(() -> assertThat(holder.release(held)).isEqualTo(Released.HANDED_ON));

    assertThat(reader.release(leaves)).isEqualTo(Released.SHARED);

    assertThat(other.release(other.holding(stays))).isEqualTo(Released.FREED);
  }

  @Test
  void aSharedRequestBehindAHolderThatComesToShareWhileItIsWithdrawnHasHeld() {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    SpiClient reader = clientUnderTest();
    Request leaves = reader.queueShared(LOCK);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(() -> holder.downgrade(held));

    assertThat(reader.release(leaves)).isEqualTo(Released.SHARED);
  }

  /** The nearest exclusive request ahead is what keeps a shared one waiting. */
  @Test
  void aSharedRequestThatIsLetInWhileItIsWithdrawnHasHeld() {
    SpiClient holder = client();
    Held held = holder.share(LOCK);
    SpiClient writer = client();
    Request givesUp = writer.queue(LOCK);
    SpiClient reader = clientUnderTest();
    Request leaves = reader.queueShared(LOCK);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(() -> assertThat(writer.release(givesUp)).isEqualTo(Released.WAS_WAITING));

    assertThat(reader.release(leaves)).isEqualTo(Released.SHARED);

    assertThat(holder.release(held)).isEqualTo(Released.FREED);
  }

  @Test
  void aSharedRequestThatStillWaitsAfterAHandOverIsWithdrawn() {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    SpiClient writer = client();
    Request next = writer.queue(LOCK);
    SpiClient reader = clientUnderTest();
    Request leaves = reader.queueShared(LOCK);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(() -> assertThat(holder.release(held)).isEqualTo(Released.HANDED_ON));

    assertThat(reader.release(leaves)).isEqualTo(Released.WAS_WAITING);

    assertThat(writer.release(writer.holding(next))).isEqualTo(Released.FREED);
  }

  @Test
  void aDowngradeIsOneCommand() {
    SpiClient client = clientUnderTest();
    Held held = client.hold(LOCK);
    commands.clear();

    Held shared = client.downgrade(held);

    assertThat(commands).hasSize(1);
    assertThat(shared.number()).isGreaterThan(held.number());
    assertThat(client().share(LOCK).number()).isEqualTo(shared.number());
  }
}
