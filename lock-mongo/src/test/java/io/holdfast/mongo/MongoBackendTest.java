package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.mongo.imitation.WireProxy.Fate;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The behaviour of locks in MongoDB that the kit's rules do not cover. */
class MongoBackendTest extends ImitationTestBase {

  private static final LockName LOCK = new LockName("orders/42");

  private static int serial;

  private final List<LockBackend> backends = new ArrayList<>();
  private final String database = "test" + ++serial;

  @BeforeEach
  void open() {
    server.remember(database);
  }

  @AfterEach
  void close() {
    proxy.judge(command -> new Fate.Passes());
    backends.forEach(LockBackend::close);
    server.drop(database);
    proxy.requireNoFaults();
  }

  private LockBackend backend() {
    return backend(MongoSettings.standard());
  }

  private LockBackend backend(MongoSettings settings) {
    LockBackend backend =
        MongoLockProvider.connect(
            proxy.uri(database), settings, BackendOptions.DEFAULTS, StoreFixture.soon());
    backends.add(backend);
    return backend;
  }

  private SpiClient client() {
    return SpiClient.open(backend(), StoreFixture.LONG);
  }

  @Test
  void grabAndReleaseOfAFreeLockAreOneCommandEach() {
    List<String> commands = new ArrayList<>();
    SpiClient client =
        SpiClient.open(
            backend(MongoSettings.standard().onCommand(commands::add)), StoreFixture.LONG);
    commands.clear();

    for (int i = 0; i < 3; i++) {
      Held held = client.hold(LOCK);
      client.renewed();
      assertThat(client.release(held)).isEqualTo(Released.FREED);
    }

    assertThat(commands).hasSize(9);
  }

  @Test
  void aHandOverIsOneCommand() {
    List<String> commands = new ArrayList<>();
    SpiClient client =
        SpiClient.open(
            backend(MongoSettings.standard().onCommand(commands::add)), StoreFixture.LONG);
    Held held = client.hold(LOCK);
    client().queue(LOCK);
    commands.clear();

    assertThat(client.release(held)).isEqualTo(Released.HANDED_ON);

    assertThat(commands).hasSize(1);
  }

  @Test
  void numbersRiseOverTheLossOfEverything() {
    Held lost = client().hold(LOCK);

    past.getDatabase(database).drop();

    SpiClient after = client();
    assertThat(after.hold(LOCK).number()).isGreaterThan(lost.number());
  }

  /**
   * A command that was delayed on its way creates its record too late, with a number that is too
   * low.
   */
  @Test
  void aRecordThatWasMadeLateBeginsAtTheTimeOfItsMaking() {
    SpiClient client = client();
    SpiClient other = client();
    Held before = client.hold(LOCK);
    client.release(before);
    server.stepClock(Duration.ofHours(25));
    assertThat(client().backend().sweep(StoreFixture.soon())).isPositive();

    // Its last reading of the server's clock is a day old.
    Held late = other.hold(LOCK);

    assertThat(late.number() - before.number())
        .isGreaterThan(StoreClock.micros(Duration.ofHours(24)));
  }

  /**
   * A client that overtakes such a holder continues from the time of the record's creation, not
   * from the low number, which no client has used.
   */
  @Test
  void whoeverOvertakesAHolderWhoseRecordWasMadeLateGoesOnFromTheTimeOfItsMaking() {
    SpiClient dead = client();
    Held held = dead.hold(LOCK);
    dead.closeSession();
    past.getDatabase(database)
        .getCollection("holdfast_locks", BsonDocument.class)
        .updateOne(
            BsonDocument.parse("{}"), BsonDocument.parse("{$set: {base: {$numberLong: '7'}}}"));
    SpiClient next = client();
    long seen = next.inspect(LOCK).orElseThrow().number();
    assertThat(seen).isEqualTo(8);
    Instant made = next.holder(LOCK).since();

    Held overtaken = next.overtake(new Observed(LOCK, seen, held.request().id()));

    assertThat(overtaken.number()).isGreaterThan(StoreClock.micros(made));
  }

  /** The answer of an old primary that does not know a session does not count. */
  @Test
  void aRenewalThatIsNotKnownIsNotTheEndOfTheSession() {
    SpiClient client = client();
    BsonDocument nothing = BsonDocument.parse("{ok: 1.0, value: null}");
    proxy.judge(
        command ->
            command.containsKey("findAndModify") && !command.containsKey("upsert")
                ? new Fate.AnsweredInstead(nothing)
                : new Fate.Passes());

    assertThatThrownBy(client::renew)
        .isInstanceOf(BackendFailure.class)
        .hasMessageContaining("old state");

    proxy.judge(command -> new Fate.Passes());
    client.renewed();
  }

  @Test
  void aSessionThatIsNotThereCannotBeOpenedAnyMoreOnceItWasSaidToBeOver() {
    LockBackend backend = backend();
    SpiClient.open(backend, StoreFixture.LONG);
    SessionSpec late = StoreFixture.spec();
    assertThat(backend.renew(late.id(), StoreFixture.soon())).isEqualTo(new Renewed.Over());

    assertThatThrownBy(() -> backend.open(late, StoreFixture.soon()))
        .isInstanceOf(BadRequestException.class);

    backend.end(late.id(), EndIf.CLOSED, StoreFixture.soon());
    assertThatThrownBy(() -> backend.open(late, StoreFixture.soon()))
        .isInstanceOf(BadRequestException.class);
  }

  /** More calls hang than there are connections. */
  @Test
  void heartbeatsDoNotQueueBehindCallsThatHang() throws InterruptedException {
    SpiClient client = client();
    client.renewed();
    CountDownLatch letGo = new CountDownLatch(1);
    CountDownLatch hanging = new CountDownLatch(16);
    proxy.judge(
        command -> {
          if (command.containsKey("find")) {
            hanging.countDown();
            await(letGo);
          }
          return new Fate.Passes();
        });
    List<Thread> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Thread call = new Thread(() -> client.inspect(LOCK), "hanging-call");
      call.setDaemon(true);
      call.start();
      calls.add(call);
    }
    try {
      assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();

      // They hang for longer than this.
      assertThat(client.backend().renew(client.session(), Deadline.in(Duration.ofSeconds(10))))
          .isInstanceOf(Renewed.Alive.class);
    } finally {
      letGo.countDown();
      for (Thread call : calls) {
        call.join(TimeUnit.SECONDS.toMillis(20));
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aCallThatHangsEndsAtItsDeadline() {
    SpiClient client = client();
    client.inspect(LOCK);
    CountDownLatch letGo = new CountDownLatch(1);
    proxy.judge(
        command -> {
          await(letGo);
          return new Fate.Passes();
        });
    try {
      assertThatThrownBy(() -> client.backend().inspect(LOCK, Deadline.in(Duration.ofMillis(300))))
          .isInstanceOf(BackendFailure.class);
    } finally {
      letGo.countDown();
    }
  }

  @Test
  void aDamagedDocumentIsNamed() {
    SpiClient client = client();
    client.hold(LOCK);
    past.getDatabase(database)
        .getCollection("holdfast_locks", BsonDocument.class)
        .updateOne(BsonDocument.parse("{}"), BsonDocument.parse("{$set: {queue: 'oops'}}"));

    assertThatThrownBy(() -> client.inspect(LOCK))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("orders/42")
        .hasMessageContaining("damaged");
  }

  @Test
  void noThreadIsLeftAfterClose() {
    LockBackend backend = backend();
    SpiClient.open(backend, StoreFixture.LONG).hold(LOCK);

    backend.close();

    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("holdfast-mongo")));
  }
}
