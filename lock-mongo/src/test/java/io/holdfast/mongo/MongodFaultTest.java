package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.mongo.mongod.MongodSet;
import io.holdfast.mongo.mongod.RequiresMongod;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.adapter.OutageFixture;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.report.Proves;
import io.holdfast.testing.mongo.MongodServer;
import java.time.Duration;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Locks on a replica set whose members die, are paused, or cannot be reached. */
@RequiresMongod
@Adapter("mongodb")
public class MongodFaultTest implements OutageFixture {

  /** Long enough for an election on a busy machine. */
  private static final Duration TTL = Duration.ofSeconds(30);

  private static final Duration SHORT_TTL = Duration.ofSeconds(3);
  private static final LockName LOCK = new LockName("orders/42");

  private static MongodSet set;
  private static int serial;

  private final String database = "faults" + ++serial;

  @BeforeAll
  static void start() {
    set = MongodSet.launch();
  }

  @AfterAll
  static void stop() {
    set.close();
  }

  @AfterEach
  void heal() {
    set.awaitWhole();
  }

  @Override
  public String uri() {
    return set.uri(database);
  }

  @Override
  public Duration ttl() {
    return TTL;
  }

  private LockBackend backend() {
    return MongoLockProvider.connect(
        uri(), MongoSettings.standard(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @Test
  void whatIsHeldAndAwaitedIsSoAfterThePrimarySteppedDown() {
    holdAndWaitOver(set::stepDown);
  }

  @Test
  void whatIsHeldAndAwaitedIsSoAfterThePrimaryWasKilled() {
    MongodServer primary = set.primary();
    holdAndWaitOver(
        () -> {
          primary.kill();
          set.awaitPrimaryAmong(set.others(primary));
        });
  }

  @Test
  void whatIsHeldAndAwaitedIsSoWhileThePrimaryStandsStill() {
    MongodServer primary = set.primary();
    try {
      holdAndWaitOver(
          () -> {
            primary.pause();
            set.awaitPrimaryAmong(set.others(primary));
          });
    } finally {
      primary.resume();
    }
  }

  @Test
  void whatIsHeldAndAwaitedIsSoWhileThePrimaryCanBeReachedByNobody() {
    MongodServer primary = set.primary();
    holdAndWaitOver(
        () -> {
          set.way(primary).isolate();
          set.awaitPrimaryAmong(set.others(primary));
        });
  }

  @Test
  void withoutAMajorityAHolderGivesUpAndNobodyElseIsGranted() {
    try (LockClient one = client(SHORT_TTL);
        LockBackend other = backend()) {
      // given
      Grant held = one.lock("a").acquire(TIMEOUT);
      SpiClient client = SpiClient.open(other, TTL);
      List<MongodServer> secondaries = set.others(set.primary());

      // when
      secondaries.forEach(MongodServer::pause);
      try {
        // then
        Request wanted = client.request(LOCK);
        assertThatThrownBy(() -> other.grab(wanted, Deadline.in(Duration.ofSeconds(2))))
            .isInstanceOf(BackendFailure.class);
        await().atMost(TIMEOUT).until(() -> !held.isHeld());
      } finally {
        secondaries.forEach(MongodServer::resume);
      }
      set.awaitWhole();
      assertThat(one.lock("a").acquire(TIMEOUT).isHeld()).isTrue();
    }
  }

  /** The grant was in the journal of the primary, and on no other member, when the primary died. */
  @Test
  @Proves(Claim.GRANTS_SURVIVE_FAIL_OVER)
  void aGrantThatWasRolledBackWasToldToNobody() {
    try (LockBackend backend = backend()) {
      // given
      SpiClient client = SpiClient.open(backend, TTL);
      Held before = client.hold(LOCK);
      client.release(before);
      MongodServer primary = set.primary();
      List<MongodServer> others = set.others(primary);
      others.forEach(MongodServer::pause);

      // when
      Request undone = client.waitingRequest(LOCK);
      try {
        assertThatThrownBy(() -> backend.grab(undone, Deadline.in(Duration.ofSeconds(2))))
            .isInstanceOfSatisfying(
                BackendFailure.class,
                failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
        writeJournal(primary);
      } finally {
        primary.kill();
        others.forEach(MongodServer::resume);
      }
      set.awaitPrimaryAmong(others);

      // then
      await().atMost(TIMEOUT).ignoreExceptions().until(() -> client.renewed().ttl().equals(TTL));
      assertThat(client.standing(undone)).isEqualTo(new Standing.Absent());
      Held after = client.hold(LOCK);
      assertThat(after.number()).isGreaterThan(before.number());
      primary.start();
      set.awaitWhole();
      assertThat(client.holding(after.request())).isEqualTo(after);
    }
  }

  private void writeJournal(MongodServer primary) {
    try (MongoClient client = primary.client()) {
      client
          .getDatabase(database)
          .getCollection("journal")
          .withWriteConcern(WriteConcern.W1.withJournal(true))
          .insertOne(new Document());
    }
  }
}
