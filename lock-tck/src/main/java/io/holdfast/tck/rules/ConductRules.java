package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.LockName;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.tck.report.Level;
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
    LockBackend backend = bench().connect();
    SpiClient client = SpiClient.open(backend, Bench.LONG);
    Request request = client.patient(LOCK);
    client.hold(LOCK);
    backend.close();

    for (ThrowingCallable verb :
        List.<ThrowingCallable>of(
            () -> backend.open(Bench.spec(), Bench.soon()),
            client::renew,
            () -> client.grab(request),
            () -> client.release(request),
            () -> client.standing(request),
            () -> client.inspect(LOCK),
            () -> backend.list("", Optional.empty(), 1, Bench.soon()),
            () -> client.end(EndIf.CLOSED))) {
      assertThatThrownBy(verb)
          .as("a verb after close()")
          .isInstanceOfAny(BackendFailure.class, HoldfastException.class);
    }
    assertThat(client.on(bench().connect()).renew())
        .as("the session, over another connection")
        .isInstanceOf(Renewed.Alive.class);
  }

  /** The call that hangs is let go in the end; until then the other one is answered. */
  @Test
  @Rule("HF-BHV-02")
  default void aCallThatHangsDelaysNoCallOnAnotherLock() throws Exception {
    NotApplicableException.unless(
        !bench().store().isEmbedded(), "An embedded store may take one call after the other.");
    StepControl steps = bench().control(StepControl.class);
    ThreadLocal<Boolean> hangs = ThreadLocal.withInitial(() -> false);
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    LockBackend backend =
        bench()
            .closedWithThis(
                steps.connect(
                    Bench.options(),
                    () -> {
                      if (hangs.get()) {
                        hanging.countDown();
                        await(goOn);
                      }
                    }));
    SpiClient one = SpiClient.open(backend, Bench.LONG);
    SpiClient other = SpiClient.open(backend, Bench.LONG);

    ExecutorService threads = Executors.newCachedThreadPool();
    CompletableFuture<Held> first =
        CompletableFuture.supplyAsync(
            () -> {
              hangs.set(true);
              return one.hold(new LockName("hangs"));
            },
            threads);
    try {
      assertThat(hanging.await(bench().store().patience().toSeconds(), TimeUnit.SECONDS))
          .as("the first call has begun")
          .isTrue();
      CompletableFuture<Held> second =
          CompletableFuture.supplyAsync(() -> other.hold(LOCK), threads);
      assertThat(second)
          .as("a call on another lock and session, over the same backend")
          .succeedsWithin(bench().store().patience());
    } finally {
      goOn.countDown();
      threads.shutdown();
    }
    assertThat(first).succeedsWithin(bench().store().longWait());
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
    SpiClient here = bench().client();
    SpiClient there =
        SpiClient.open(bench().closedWithThis(otherStore.connect(Bench.options())), Bench.LONG);
    Held held = here.hold(LOCK);

    there.release(there.hold(LOCK));
    assertThat(there.backend().list("", Optional.empty(), 10, Bench.soon())).isEmpty();
    assertThat(there.on(here.backend()).renew())
        .as("a session of another namespace")
        .isEqualTo(new Renewed.Over());
    here.on(there.backend()).release(held.request());
    there.backend().sweep(Bench.soon());

    assertThat(here.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-BHV-04")
  default void hintsStayInTheirNamespace() throws Exception {
    bench().requireWakeup(Wakeup.PUSH);
    TckStore otherStore = otherNamespace();
    SpiClient here = bench().client();
    SpiClient waitsHere = bench().client();
    LockBackend otherBackend = bench().closedWithThis(otherStore.connect(Bench.options()));
    SpiClient there = SpiClient.open(otherBackend, Bench.LONG);
    SpiClient waitsThere = SpiClient.open(otherBackend, Bench.LONG);
    Queue<LockName> hintsHere = new ConcurrentLinkedQueue<>();
    AtomicBoolean hintedThere = new AtomicBoolean();
    here.hold(LOCK);
    waitsHere.queue(LOCK);

    try (AutoCloseable listensHere =
            waitsHere.backend().listen(waitsHere.session(), hintsHere::add, Bench.soon());
        AutoCloseable listensThere =
            otherBackend.listen(
                waitsThere.session(), name -> hintedThere.set(true), Bench.soon())) {
      Awaitility.await()
          .atMost(bench().store().patience())
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
