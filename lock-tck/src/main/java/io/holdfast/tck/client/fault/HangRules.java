package io.holdfast.tck.client.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.HoldfastException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Hang;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A call that hangs disturbs no other; a hint that is lost costs a heartbeat. */
@Topic(value = "HNG", level = Level.CORE, clause = "LockBackend: a call that hangs delays no other")
public interface HangRules extends ClientFixture {

  @Test
  @Rule("HF-HNG-01")
  default void aCallThatHangsOnOneLockDelaysNoOther() {
    TestClient one = client();
    one.hold("first").release(); // The session is open.
    Hang hang =
        one.faults()
            .every(
                Verb.GRAB,
                call -> call.lock().equals(Optional.of(new LockName("stuck"))),
                Hang.beyondDeadlines());
    Waiting stuck = one.waitFor("stuck", longWait().multipliedBy(2));
    try {
      await().atMost(longWait()).until(() -> hang.hanging() == 1);
      for (int i = 0; i < 20; i++) {
        assertThat(one.waitFor("other " + i, longWait()).result())
            .as("a grab of another lock, while one hangs")
            .succeedsWithin(longWait());
      }
      assertThat(stuck.result()).isNotDone();
    } finally {
      hang.release();
    }
    assertThat(stuck.grant().isHeld()).as("isHeld() of the grant").isTrue();
  }

  @Test
  @Rule("HF-HNG-02")
  default void anOpeningThatHangsDoesNotOutlastTheWait() {
    TestClient one = client();
    CountDownLatch released = new CountDownLatch(1);
    one.faults()
        .every(
            Verb.OPEN,
            call -> true,
            call -> {
              try {
                released.await(); // Longer than any deadline.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              throw new BackendFailure(Effect.UNKNOWN, "Injected: hung.", null);
            });
    Waiting waiting = one.waitFor(NAME, Duration.ofMillis(100));
    Waiting interrupted = one.waitFor("other", longWait());
    try {
      assertThat(waiting.result())
          .failsWithin(longWait())
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(HoldfastException.class);
      interrupted.interrupt();
      assertThat(interrupted.result())
          .failsWithin(longWait())
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(LockInterruptedException.class);
    } finally {
      released.countDown();
    }
  }

  @Test
  @Rule("HF-HNG-06")
  default void whoeverAsksAStoreThatDoesNotAnswerIsToldSo() {
    TestClient one = client();
    Hang hang = one.faults().every(Verb.OPEN, call -> true, new Hang());
    assertThat(one.waitFor(NAME, Duration.ofSeconds(1)).result())
        .failsWithin(longWait())
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(BackendUnreachableException.class)
        .withMessageContaining("not answered");
    hang.release();
  }

  @Test
  @Rule("HF-HNG-03")
  default void aHeartbeatThatHangsDelaysNoOtherSession() {
    TestClient one = steadyClient();
    one.hold("lame");
    SessionId session = one.client().health().sessions().get(0).id();
    AcquireOptions otherSession = AcquireOptions.once().ttl(LONG_TTL.plusSeconds(1));
    Grant sound = one.client().lock("sound").acquire(otherSession);
    Hang hang =
        one.faults()
            .every(Verb.RENEW, call -> call.session().equals(Optional.of(session)), new Hang());
    AtomicInteger besides = new AtomicInteger();
    one.faults()
        .every(
            Verb.RENEW,
            call -> hang.hanging() > 0,
            call -> {
              Object renewed = call.proceed();
              besides.incrementAndGet();
              return renewed;
            });
    await().atMost(longWait()).until(() -> besides.get() >= 2);
    sound.check();
    assertThat(one.client().lock("another").acquire(otherSession).isHeld())
        .as("isHeld() of the grant")
        .isTrue();
    hang.release();
  }

  @Test
  @Rule("HF-HNG-04")
  default void aHeartbeatThatHangsIsSentAnewInTime() {
    TestClient one = steadyClient();
    Grant grant = one.hold(NAME);
    Hang hang = one.faults().next(Verb.RENEW, new Hang());
    await().atMost(longWait()).until(() -> hang.met() == 1);
    long answered = one.answers(Verb.RENEW);
    await().atMost(longWait()).until(() -> one.answers(Verb.RENEW) > answered);
    grant.check();
    hang.release();
  }

  @Test
  @Rule("HF-HNG-05")
  default void lostHintsCostAHeartbeatAtMost() {
    fixture().requireWakeup(Wakeup.PUSH);
    TestClient one = client();
    Grant held = one.hold(NAME);
    TestClient two = steadyClient();
    two.faults().every(Verb.LISTEN, call -> true, call -> (AutoCloseable) () -> {});
    Waiting waiting = two.waitFor(NAME, longWait());
    await()
        .atMost(longWait())
        .until(() -> one.client().find(NAME).orElseThrow().waiters().size() == 1);
    held.release();
    assertThat(waiting.grant().isHeld()).as("isHeld() of the grant").isTrue();
  }
}
