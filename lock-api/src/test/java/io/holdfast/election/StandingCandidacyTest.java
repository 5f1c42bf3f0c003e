package io.holdfast.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.error.LossReason;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A candidacy on a lock that fails. */
class StandingCandidacyTest {

  private static final class Unloggable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message (test)");
    }
  }

  private static final class Told implements Candidate {
    private final CountDownLatch twice = new CountDownLatch(2);

    @Override
    public void elected(Grant term) {}

    @Override
    public void deposed(LossReason reason) {}

    @Override
    public void failed(RuntimeException problem) {
      twice.countDown();
    }
  }

  @Test
  void aFailureThatCannotBeLoggedIsToldAndItStandsAgain() throws Exception {
    Told candidate = new Told();
    StandingCandidacy candidacy =
        new StandingCandidacy(
            lockThatFails(),
            AcquireOptions.forever(),
            candidate,
            new Stages(),
            Grant::isHeld,
            Grant::onLost,
            ended -> {});
    candidacy.start();
    try {
      assertThat(candidate.twice.await(60, TimeUnit.SECONDS)).as("that it is told twice").isTrue();
    } finally {
      candidacy.close();
    }
  }

  private static DistributedLock lockThatFails() {
    return (DistributedLock)
        Proxy.newProxyInstance(
            StandingCandidacyTest.class.getClassLoader(),
            new Class<?>[] {DistributedLock.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("name")) {
                return new LockName("a");
              }
              throw new Unloggable();
            });
  }
}
