package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.error.LossReason;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.Verb;
import io.holdfast.watch.Watch;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is slow in an application delays nothing of ours, and nothing else of the application's. */
class SlowListenersTest {

  private static final Duration HEARTBEAT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(60);

  /** For the one body that is to be in jeopardy. */
  private static final Duration SHORT = Duration.ofMillis(700);

  private final MemoryStore store = new MemoryStore("slow", MemoryOptions.DEFAULTS);
  private final CountDownLatch done = new CountDownLatch(1);
  private Optional<LockClient> open = Optional.empty();

  private LockClient client(Consumer<LockEvent> listener, Duration grace) {
    LockClient client =
        Holdfast.builder()
            .defaultTtl(LONG)
            .heartbeat(HEARTBEAT)
            .grace(grace)
            .listener(listener)
            .connect(store.connect(BackendOptions.DEFAULTS));
    open = Optional.of(client);
    return client;
  }

  @AfterEach
  void close() {
    done.countDown();
    open.ifPresent(LockClient::close);
  }

  private void hang() {
    boolean interrupted = false;
    while (done.getCount() > 0) {
      try {
        done.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aListenerOfEventsThatHangsDelaysNoLossOfAGrant() {
    LockClient client = client(event -> hang(), LONG);
    Grant grant = client.lock("a").acquire(LONG);
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    grant.onLost(losses::add);
    store.loseEverything();
    await().atMost(LONG).until(() -> losses.contains(LossReason.SESSION_ENDED));
  }

  @Test
  void aListenerOfALossThatHangsDelaysNoOther() {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    LockClient client = client(events::add, LONG);
    Grant a = client.lock("a").acquire(LONG);
    Grant b = client.lock("b").acquire(LONG);
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    a.onLost(reason -> hang());
    b.onLost(losses::add);
    store.loseEverything();
    await().atMost(LONG).until(() -> losses.contains(LossReason.SESSION_ENDED));
    await()
        .atMost(LONG)
        .until(() -> events.stream().anyMatch(LockEvent.GrantLost.class::isInstance));
  }

  @Test
  void watchesThatHangDelayNoLossOfAGrant() {
    LockClient client = client(event -> {}, LONG);
    for (int i = 0; i < 20; i++) {
      Watch unused = client.watch("watched/" + i, lock -> hang());
    }
    Grant grant = client.lock("a").acquire(LONG);
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    grant.onLost(losses::add);
    store.loseEverything();
    await().atMost(LONG).until(() -> losses.contains(LossReason.SESSION_ENDED));
  }

  /** As a listener of events may be behind, but not one of losses. */
  @Test
  void oneListenerOfManyGrantsIsToldOfEachLossHoweverFarItIsBehind() {
    int grants = 10_100;
    LockClient client = client(event -> {}, LONG);
    AtomicInteger told = new AtomicInteger();
    Consumer<LossReason> listener =
        reason -> {
          hang();
          told.incrementAndGet();
        };
    for (int i = 0; i < grants; i++) {
      client.lock("lock/" + i).acquire(LONG).onLost(listener);
    }
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    client.lock("the last").acquire(LONG).onLost(losses::add);
    store.loseEverything();
    await().atMost(LONG).until(() -> !losses.isEmpty());
    done.countDown();
    await().atMost(LONG).untilAsserted(() -> assertThat(told).hasValue(grants));
  }

  @Test
  void continuationsThatHangOnThreadsOfTheClientDelayNoLossOfAGrant() {
    LockClient client =
        Holdfast.builder()
            .defaultTtl(LONG)
            .heartbeat(HEARTBEAT)
            .asyncExecutor(Runnable::run)
            .connect(store.connect(BackendOptions.DEFAULTS));
    open = Optional.of(client);
    Thread here = Thread.currentThread();
    AtomicInteger hanging = new AtomicInteger();
    AtomicInteger onThisThread = new AtomicInteger();
    for (int asked = 0; asked - onThisThread.get() < 16; asked++) {
      var unused =
          client
              .lock("async/" + asked)
              .acquireAsync()
              .thenAccept(
                  grant -> {
                    if (Thread.currentThread().equals(here)) { // It was granted before.
                      onThisThread.incrementAndGet();
                    } else {
                      hanging.incrementAndGet();
                      hang();
                    }
                  });
    }
    await().atMost(LONG).untilAsserted(() -> assertThat(hanging).hasValue(16));
    Grant grant = client.lock("a").acquire(LONG);
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    grant.onLost(losses::add);
    store.loseEverything();
    await().atMost(LONG).until(() -> losses.contains(LossReason.SESSION_ENDED));
  }

  @Test
  void oneListenerIsToldOneThingAtATimeInOrder() {
    List<String> told = new CopyOnWriteArrayList<>();
    LockClient client =
        client(
            event -> {
              told.add("begin " + event.getClass().getSimpleName());
              told.add("end " + event.getClass().getSimpleName());
            },
            LONG);
    client.lock("a").acquire(LONG);
    store.loseEverything();
    await().atMost(LONG).until(() -> told.contains("end GrantLost"));
    assertThat(told)
        .startsWith(
            "begin SessionOpened",
            "end SessionOpened",
            "begin SessionStateChanged",
            "end SessionStateChanged",
            "begin GrantLost",
            "end GrantLost");
  }

  /** A channel whose closing hangs: an interrupt of its reader closes it, on the interrupter. */
  private final class SlowChannel extends AbstractInterruptibleChannel {
    private final CountDownLatch closing = new CountDownLatch(1);

    boolean read() throws AsynchronousCloseException {
      begin();
      hang();
      end(true);
      return true;
    }

    @Override
    protected void implCloseChannel() {
      closing.countDown();
      hang();
    }
  }

  @Test
  void aBodyWhoseInterruptHangsDelaysNoHeartbeat() throws Exception {
    FaultyBackend faults = new FaultyBackend(store.connect(BackendOptions.DEFAULTS));
    // With a short grace a grant whose lease was over before its body began is soon given up.
    LockClient client =
        Holdfast.builder().defaultTtl(LONG).heartbeat(HEARTBEAT).grace(SHORT).connect(faults);
    open = Optional.of(client);
    SlowChannel channel = new SlowChannel();
    Grant sound = client.lock("sound").acquire(LONG);
    SessionId soundSession = client.health().sessions().get(0).id();
    AcquireOptions otherSession = AcquireOptions.within(LONG).ttl(SHORT);
    // A machine that stops for longer than the short TTL loses the first grants before their body.
    Thread body =
        new Thread(
            () -> {
              while (channel.closing.getCount() > 0 && done.getCount() > 0) {
                try {
                  client.lock("lost").call(otherSession, grant -> channel.read());
                } catch (Exception lostOrClosed) {
                  // Tries again, unless the channel was closed.
                }
              }
            });
    body.setDaemon(true);
    body.start();
    AtomicInteger heartbeats = new AtomicInteger();
    faults.every(
        Verb.RENEW,
        call -> {
          boolean isSound = call.session().equals(Optional.of(soundSession));
          heartbeats.addAndGet(isSound ? 1 : 0);
          return !isSound;
        },
        Fault.refused());
    assertThat(channel.closing.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    int before = heartbeats.get();
    await().atMost(LONG).until(() -> heartbeats.get() > before + 10);
    sound.check();
    assertThat(sound.release()).isEqualTo(ReleaseOutcome.FREED);
    faults.heal();
    done.countDown();
    body.join();
  }
}
