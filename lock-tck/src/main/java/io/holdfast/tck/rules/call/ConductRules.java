package io.holdfast.tck.rules.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.error.HoldfastException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How connections behave beside each other, after their end, and in namespaces of their own. */
@Topic(
    value = "BHV",
    level = Level.CORE,
    clause = "LockBackend: close, calls from many threads, namespaces")
public interface ConductRules extends SpiRules {

  @Test
  @Rule("HF-BHV-01")
  default void aConnectionThatWasClosedAnswersNothing() {
    LockBackend backend = fixture().connect();
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Request request = client.waitingRequest(LOCK);
    client.hold(LOCK);
    backend.close();

    for (ThrowingCallable verb :
        List.<ThrowingCallable>of(
            () -> backend.open(StoreFixture.spec(), StoreFixture.soon()),
            client::renew,
            () -> client.grab(request),
            () -> client.release(request),
            () -> client.standing(request),
            () -> client.inspect(LOCK),
            () -> backend.list("", Optional.empty(), 1, StoreFixture.soon()),
            () -> client.end(EndIf.CLOSED))) {
      assertThatThrownBy(verb)
          .as("a verb after close()")
          .isInstanceOfAny(BackendFailure.class, HoldfastException.class);
    }
    assertThat(client.on(fixture().connect()).renew())
        .as("the session, over another connection")
        .isInstanceOf(Renewed.Alive.class);
  }

  /** The call that hangs is let go in the end; until then the other one is answered. */
  @Test
  @Rule("HF-BHV-02")
  default void aCallThatHangsDelaysNoCallOnAnotherLock() throws Exception {
    NotApplicableException.unless(
        !fixture().store().isEmbedded(), "An embedded store may take one call after the other.");
    StepControl steps = fixture().control(StepControl.class);
    AtomicBoolean hangs = new AtomicBoolean(); // The next step, on whichever thread it is made.
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    LockBackend backend =
        fixture()
            .closedWithThis(
                steps.connect(
                    StoreFixture.options(),
                    () -> {
                      if (hangs.getAndSet(false)) {
                        hanging.countDown();
                        await(goOn);
                      }
                    }));
    SpiClient one = SpiClient.open(backend, StoreFixture.LONG);
    SpiClient other = SpiClient.open(backend, StoreFixture.LONG);

    ExecutorService threads = Executors.newCachedThreadPool();
    CompletableFuture<Held> first =
        CompletableFuture.supplyAsync(
            () -> {
              hangs.set(true);
              return one.hold(new LockName("hangs"));
            },
            threads);
    try {
      assertThat(hanging.await(fixture().store().maxWait().toSeconds(), TimeUnit.SECONDS))
          .as("the first call has begun")
          .isTrue();
      CompletableFuture<Held> second =
          CompletableFuture.supplyAsync(() -> other.hold(LOCK), threads);
      assertThat(second)
          .as("a call on another lock and session, over the same backend")
          .succeedsWithin(fixture().store().maxWait());
    } finally {
      goOn.countDown();
      threads.shutdown();
    }
    assertThat(first).succeedsWithin(fixture().store().longWait());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @Rule("HF-BHV-03")
  default void namespacesHaveNothingInCommon() throws Exception {
    TckStore otherStore = otherNamespace();
    SpiClient here = fixture().client();
    SpiClient there =
        SpiClient.open(
            fixture().closedWithThis(otherStore.connect(StoreFixture.options())),
            StoreFixture.LONG);
    Held held = here.hold(LOCK);

    there.release(there.hold(LOCK));
    assertThat(there.backend().list("", Optional.empty(), 10, StoreFixture.soon())).isEmpty();
    assertThat(there.on(here.backend()).renew())
        .as("a session of another namespace")
        .isEqualTo(new Renewed.Over());
    here.on(there.backend()).release(held.request());
    there.backend().sweep(StoreFixture.soon());

    assertThat(here.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-BHV-04")
  default void hintsStayInTheirNamespace() throws Exception {
    fixture().requireWakeup(Wakeup.PUSH);
    TckStore otherStore = otherNamespace();
    SpiClient here = fixture().client();
    SpiClient waitsHere = fixture().client();
    LockBackend otherBackend = fixture().closedWithThis(otherStore.connect(StoreFixture.options()));
    SpiClient there = SpiClient.open(otherBackend, StoreFixture.LONG);
    SpiClient waitsThere = SpiClient.open(otherBackend, StoreFixture.LONG);
    Queue<LockName> hintsHere = new ConcurrentLinkedQueue<>();
    AtomicBoolean hintedThere = new AtomicBoolean();
    here.hold(LOCK);
    waitsHere.queue(LOCK);

    try (AutoCloseable listensHere =
            waitsHere.backend().listen(waitsHere.session(), hintsHere::add, StoreFixture.soon());
        AutoCloseable listensThere =
            otherBackend.listen(
                waitsThere.session(), name -> hintedThere.set(true), StoreFixture.soon())) {
      Awaitility.await()
          .atMost(fixture().store().maxWait())
          .until(
              () -> {
                Held held = there.hold(LOCK);
                Request waits = waitsThere.queue(LOCK);
                there.release(held);
                waitsThere.release(waits);
                return hintedThere.get();
              });

      assertThat(hintsHere).as("hints of a namespace in which nothing has happened").isEmpty();
    }
  }
}
