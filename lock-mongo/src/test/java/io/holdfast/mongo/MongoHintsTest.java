package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.imitation.ClockedServer;
import io.holdfast.mongo.imitation.FakeChangeStreams;
import io.holdfast.mongo.imitation.StrictProxy;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.tck.adapter.PushRules;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Adapter;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hand-over by change streams, on a fake of them, not on a real server. */
@Adapter("mongodb-imitation")
class MongoHintsTest implements PushRules {

  private static final int HISTORY_LOST = 286;
  private static final int CURSOR_NOT_FOUND = 43;
  private static final LockName LOCK = new LockName("orders/ä");

  private final ClockedServer server = ClockedServer.start();
  private final FakeChangeStreams streams = new FakeChangeStreams(server);
  private StrictProxy proxy;

  @BeforeEach
  void stand() throws IOException {
    proxy = StrictProxy.before(server.port());
    proxy.greetWith(FakeChangeStreams.greeting(proxy.port()));
    proxy.judge(streams::judge);
  }

  @AfterEach
  void leave() throws IOException {
    proxy.requireNoFaults();
    proxy.close();
    server.close();
  }

  @Override
  public LockBackend backend() {
    return MongoLockProvider.connect(
        proxy.uri("hints") + "?replicaSet=rs0",
        MongoSettings.standard(),
        BackendOptions.DEFAULTS,
        StoreFixture.soon());
  }

  @Override
  public int listeners() {
    return streams.count();
  }

  @Override
  public void breakListeners() {
    streams.breakAll(HISTORY_LOST);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHandOverIsHintedToTheNextInLine(boolean withTheQueue) throws Exception {
    if (!withTheQueue) {
      streams.tellNoQueue();
    }
    try (LockBackend one = backend();
        LockBackend two = backend()) {
      SpiClient holder = SpiClient.open(one, StoreFixture.LONG);
      SpiClient waiter = SpiClient.open(two, StoreFixture.LONG);
      List<LockName> hints = new CopyOnWriteArrayList<>();
      try (AutoCloseable listening =
          two.listen(waiter.session(), hints::add, StoreFixture.soon())) {
        Held held = holder.hold(LOCK);
        waiter.queue(LOCK);
        assertThat(hints).isEmpty();

        holder.release(held);

        await().atMost(TIMEOUT).until(() -> !hints.isEmpty());
        assertThat(hints).containsOnly(LOCK);
      }
    }
  }

  @Test
  void theServerTellsWhatConcernsTheSessionAndNothingElse() throws Exception {
    try (LockBackend one = backend();
        LockBackend two = backend()) {
      SpiClient holder = SpiClient.open(one, StoreFixture.LONG);
      SpiClient other = SpiClient.open(one, StoreFixture.LONG);
      SpiClient waiter = SpiClient.open(two, StoreFixture.LONG);
      try (AutoCloseable listening =
          two.listen(waiter.session(), name -> {}, StoreFixture.soon())) {
        Held held = holder.hold(LOCK);
        Request next = other.queue(LOCK);
        Request last = waiter.queue(LOCK);
        holder.release(holder.hold(new LockName("elsewhere")));
        holder.release(held);
        assertThat(streams.told()).as("told of another's turn, or lock").isZero();

        other.release(next);

        assertThat(streams.told()).isEqualTo(1);
        waiter.holding(last);
      }
    }
  }

  @Test
  void allThatHoldTogetherFromNowOnAreHinted() throws Exception {
    try (LockBackend one = backend();
        LockBackend two = backend()) {
      SpiClient writer = SpiClient.open(one, StoreFixture.LONG);
      SpiClient reader = SpiClient.open(two, StoreFixture.LONG);
      SpiClient secondReader = SpiClient.open(two, StoreFixture.LONG);
      SpiClient behind = SpiClient.open(two, StoreFixture.LONG);
      Set<SpiClient> hinted = ConcurrentHashMap.newKeySet();
      try (AutoCloseable first =
              two.listen(reader.session(), name -> hinted.add(reader), StoreFixture.soon());
          AutoCloseable second =
              two.listen(
                  secondReader.session(), name -> hinted.add(secondReader), StoreFixture.soon());
          AutoCloseable third =
              two.listen(behind.session(), name -> hinted.add(behind), StoreFixture.soon())) {
        Held held = writer.hold(LOCK);
        reader.queueShared(LOCK);
        secondReader.queueShared(LOCK);
        Request next = writer.queue(LOCK);
        behind.queueShared(LOCK);

        writer.release(held);
        await().atMost(TIMEOUT).until(() -> hinted.size() == 2);
        assertThat(hinted).containsExactlyInAnyOrder(reader, secondReader);

        // A withdrawal lets those in who have waited behind it.
        writer.release(next);
        await().atMost(TIMEOUT).until(() -> hinted.contains(behind));
      }
    }
  }

  @Test
  void aDowngradeIsHintedToThoseWhoMayShare() throws Exception {
    try (LockBackend one = backend();
        LockBackend two = backend()) {
      SpiClient holder = SpiClient.open(one, StoreFixture.LONG);
      SpiClient reader = SpiClient.open(two, StoreFixture.LONG);
      List<LockName> hints = new CopyOnWriteArrayList<>();
      try (AutoCloseable listening =
          two.listen(reader.session(), hints::add, StoreFixture.soon())) {
        Held held = holder.hold(LOCK);
        reader.queueShared(LOCK);

        holder.downgrade(held);

        await().atMost(TIMEOUT).until(() -> hints.contains(LOCK));
      }
    }
  }

  /** As after a change of the primary: the driver resumes the stream where it was. */
  @Test
  void aStreamThatIsResumedHasMissedNothing() throws Exception {
    try (LockBackend one = backend();
        LockBackend two = backend()) {
      SpiClient holder = SpiClient.open(one, StoreFixture.LONG);
      SpiClient waiter = SpiClient.open(two, StoreFixture.LONG);
      List<LockName> hints = new CopyOnWriteArrayList<>();
      try (AutoCloseable listening =
          two.listen(waiter.session(), hints::add, StoreFixture.soon())) {
        Held held = holder.hold(LOCK);
        waiter.queue(LOCK);

        streams.breakAll(CURSOR_NOT_FOUND);
        holder.release(held);

        await().atMost(TIMEOUT).until(() -> hints.contains(LOCK));
        assertThat(streams.opened()).isEqualTo(2);
      }
    }
  }

  /** Otherwise the client would read it again and again without a pause. */
  @Test
  void aStreamThatTheServerEndsIsLeft() throws Exception {
    try (LockBackend backend = backend()) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      AtomicInteger ended = new AtomicInteger();
      try (AutoCloseable listening =
          backend.listen(client.session(), listener(ended), StoreFixture.soon())) {
        streams.endAll();

        await().atMost(TIMEOUT).until(() -> threads().isEmpty());
        assertThat(ended).hasValue(1);
      }
    }
  }

  private static HintListener listener(AtomicInteger ended) {
    return new HintListener() {
      @Override
      public void accept(LockName name) {}

      @Override
      public void ended() {
        ended.incrementAndGet();
      }
    };
  }

  /** Otherwise a client would wait for ever on a connection that is dead without an error. */
  @Test
  void aStreamThatFallsSilentIsGivenUp() {
    try (TestClient holder = client(LONG_TTL);
        TestClient waiter = client(SHORT_TTL)) {
      Grant held = holder.hold("a");
      Waiting waits = waiting(waiter, holder);
      awaitListening();

      streams.fallSilent();

      await().atMost(TIMEOUT).until(() -> waiter.count(Verb.LISTEN) >= 2);
      held.close();
      waits.grant().check();
      streams.speakAgain();
    }
  }

  @Test
  void thereIsOneStreamForAllSessionsOfAClientAndOnlyWhileOneListens() throws Exception {
    try (LockBackend backend = backend()) {
      SpiClient one = SpiClient.open(backend, StoreFixture.LONG);
      SpiClient two = SpiClient.open(backend, StoreFixture.LONG);
      List<LockName> toOne = new CopyOnWriteArrayList<>();
      // That of the test before may be about to end.
      await().atMost(TIMEOUT).until(() -> threads().isEmpty());

      AutoCloseable first = backend.listen(one.session(), toOne::add, StoreFixture.soon());
      AutoCloseable second = backend.listen(two.session(), name -> {}, StoreFixture.soon());

      await().atMost(TIMEOUT).until(() -> threads().size() == 1 && streams.count() == 1);
      Held held = two.hold(LOCK);
      one.queue(LOCK);
      two.release(held);
      await().atMost(TIMEOUT).until(() -> toOne.contains(LOCK));
      first.close();
      assertThat(threads()).hasSize(1);
      second.close();
      await().atMost(TIMEOUT).until(() -> threads().isEmpty() && streams.count() == 0);
    }
  }

  /** Each stream is a thread and a connection. */
  @Test
  void sessionsThatComeAndGoLeaveNoStreamBehindWhileAnotherListens() throws Exception {
    try (LockBackend backend = backend()) {
      SpiClient one = SpiClient.open(backend, StoreFixture.LONG);
      await().atMost(TIMEOUT).until(() -> threads().isEmpty());
      try (AutoCloseable stays = backend.listen(one.session(), name -> {}, StoreFixture.soon())) {
        for (int i = 0; i < 10; i++) {
          SpiClient passing = SpiClient.open(backend, StoreFixture.LONG);
          backend.listen(passing.session(), name -> {}, StoreFixture.soon()).close();
        }

        await().atMost(TIMEOUT).until(() -> threads().size() == 1 && streams.count() == 1);
      }
    }
  }

  @Test
  void noThreadIsLeftWhenTheClientIsClosed() throws Exception {
    LockBackend backend = backend();
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    backend.listen(client.session(), name -> {}, StoreFixture.soon());

    backend.close();

    await().atMost(TIMEOUT).until(() -> threads().isEmpty());
    assertThatThrownBy(() -> backend.listen(client.session(), name -> {}, StoreFixture.soon()))
        .isInstanceOf(BackendFailure.class);
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("holdfast-mongo-hints"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {40573, 40324, 115, 73, 148, 13})
  void whereStreamsAreRefusedForGoodNobodyAsksAgain(int code) {
    streams.refuseWith("{ok: 0, code: %d, errmsg: 'refused'}".formatted(code));
    try (LockBackend backend = backend()) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);

      assertThatThrownBy(() -> backend.listen(client.session(), name -> {}, StoreFixture.soon()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("refused");
    }
  }

  @Test
  void waitersPollWhereStreamsAreRefused() {
    streams.refuseWith("{ok: 0, code: 40324, errmsg: 'no such stage'}");
    try (TestClient holder = client(LONG_TTL);
        TestClient waiter = client(LONG_TTL)) {
      Grant held = holder.hold("a");
      Waiting waits = waiting(waiter, holder);

      held.close();

      waits.grant().check();
      assertThat(waiter.count(Verb.RENEW)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10107, 11600, 91})
  void aRefusalThatMayPassIsNotForGood(int code) {
    streams.refuseWith("{ok: 0, code: %d, errmsg: 'not now'}".formatted(code));
    try (LockBackend backend = backend()) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);

      assertThatThrownBy(() -> backend.listen(client.session(), name -> {}, StoreFixture.soon()))
          .isInstanceOf(BackendFailure.class);
    }
  }

  @Test
  void aStandaloneServerIsNotAskedForStreams() {
    proxy.greetWith(new BsonDocument());
    try (LockBackend backend =
        MongoLockProvider.connect(
            proxy.uri("hints"),
            MongoSettings.standard(),
            BackendOptions.DEFAULTS,
            StoreFixture.soon())) {
      assertThat(backend.capabilities().wakeup()).isEqualTo(Wakeup.POLL);
    }
    try (LockBackend backend = backend(FakeChangeStreams.greeting(proxy.port()))) {
      assertThat(backend.capabilities().wakeup()).isEqualTo(Wakeup.PUSH);
    }
  }

  private LockBackend backend(BsonDocument greeting) {
    proxy.greetWith(greeting);
    return backend();
  }
}
