package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoCollection;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/**
 * Collections of version 1 in a database of their own: one lock with a holder and a waiter whose
 * sessions have lapsed, and a free one.
 *
 * @param holder the client that holds
 */
record FormerCollections(String database, FormerClient holder) implements AutoCloseable {

  static final LockName HELD = new LockName("held");
  static final LockName FREE = new LockName("free");

  static final Retirement RETIRED = new Retirement.Retired(1);

  private static int serial;

  static FormerCollections write() {
    FormerCollections former = writeLiving();
    former.pass(StoreFixture.LONG.multipliedBy(2));
    return former;
  }

  /** Writes them with sessions that live. */
  static FormerCollections writeLiving() {
    String database = "former" + ++serial;
    ImitationTestBase.server.remember(database);
    FormerCollections former = new FormerCollections(database, newcomer(database));
    former.holder.makeNamespace();
    for (FormerClient client : List.of(former.holder, former.newcomer())) {
      assertThat(client.open(StoreFixture.LONG.toMillis())).isTrue();
      assertThat(client.grab(HELD.value()) || client.join(HELD.value())).isTrue();
    }
    FormerClient closed = former.newcomer();
    assertThat(closed.open(StoreFixture.LONG.toMillis())).isTrue();
    assertThat(closed.grab(FREE.value())).isTrue();
    assertThat(closed.release(FREE.value())).isTrue();
    assertThat(closed.close()).isTrue();
    return former;
  }

  private static FormerClient newcomer(String database) {
    return FormerClient.in(ImitationTestBase.past, database, SessionId.fresh().value());
  }

  /** Returns another client of version 1 that has read the namespace before. */
  FormerClient newcomer() {
    return newcomer(database);
  }

  void pass(Duration time) {
    ImitationTestBase.server.stepClock(database, time);
  }

  MongoCollection<BsonDocument> collection(String name) {
    return ImitationTestBase.past
        .getDatabase(database)
        .getCollection("holdfast_" + name, BsonDocument.class);
  }

  Retirement retire() {
    return retire(command -> {});
  }

  Retirement retire(Runnable beforeCommand) {
    return retire(command -> beforeCommand.run());
  }

  /** Retires them; a short description of each command is told before it is sent. */
  Retirement retire(Consumer<String> onCommand) {
    return MongoLockProvider.retire(
        ImitationTestBase.proxy.uri(database),
        MongoSettings.standard().onCommand(onCommand),
        StoreFixture.soon());
  }

  /** Returns whether a client that retires them died before its so-manieth command. */
  boolean dies(int command) {
    StepAction at = new StepAction();
    at.arm(
        command,
        () -> {
          throw new StepAction.ClientDied();
        });
    try {
      Retirement unused = retire(at);
      return false;
    } catch (StepAction.ClientDied died) {
      return true;
    }
  }

  LockBackend connect() {
    return MongoLockProvider.connect(
        ImitationTestBase.proxy.uri(database),
        MongoSettings.standard(),
        BackendOptions.DEFAULTS,
        StoreFixture.soon());
  }

  /** Clients of the present version are not let in yet. */
  void requireRefused() {
    assertThatThrownBy(() -> connect().close())
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("holdfast retire");
  }

  /** Clients of the present version are let in, and none of version 1. */
  void requireRetired() {
    assertThat(newcomer().open(StoreFixture.LONG.toMillis())).as("a newcomer").isFalse();
    assertThat(holder.renew()).as("a session that was ended").isFalse();
    try (LockBackend backend = connect()) {
      SpiClient one = SpiClient.open(backend, StoreFixture.LONG);
      SpiClient other = SpiClient.open(backend, StoreFixture.LONG);
      one.requireFree(HELD);
      assertThat(one.hold(HELD).number()).isGreaterThan(number(HELD));
      assertThat(other.hold(FREE).number()).isGreaterThan(number(FREE));
      other.refused(HELD);
      // Of a session that is missing, too, there is a document from now on that says it is over.
      assertThat(SpiClient.of(backend, SessionId.fresh()).renew()).isEqualTo(new Renewed.Over());
      SpiClient.of(backend, SessionId.fresh()).closeSession();
    }
    assertThat(collection("namespace").find())
        .allMatch(document -> document.getInt64("protocol").getValue() == 2);
  }

  /** Returns the greatest number that version 1 has given. */
  private long number(LockName name) {
    BsonDocument lock =
        collection("locks").find(BsonDocument.parse("{_id: '" + name + "'}")).first();
    return lock == null ? 0 : lock.getInt64("base").getValue() + 1;
  }

  @Override
  public void close() {
    ImitationTestBase.server.drop(database);
    ImitationTestBase.proxy.requireNoFaults();
  }
}
