package io.holdfast.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** Why a term is over. */
class TermTest {

  private final Exception failure = new IllegalStateException("The work fails.");

  /** Its candidate saw that, and was faster than the listener that is told of it. */
  @Test
  void aTermWhoseGrantWasLostBeforeItWasClosedIsOverForThatReason() {
    Term term = new Term(grantLostBy(LossReason.REVOKED), Thread.currentThread());
    term.grant().close();

    assertThat(term.awaitEnd()).isEqualTo(LossReason.REVOKED);
    assertThat(term.isWhy(failure)).as("that the candidate has thrown").isTrue();
  }

  @Test
  void whoHasGivenItsTermUpFailsForReasonsOfItsOwnUnlessItWasInterrupted() {
    Term term = new Term(grantLostBy(LossReason.RELEASED), Thread.currentThread());
    assertThat(term.isWhy(new InterruptedException())).as("while the term lasts").isFalse();
    term.grant().close();

    assertThat(term.awaitEnd()).isEqualTo(LossReason.RELEASED);
    assertThat(term.isWhy(failure)).isFalse();
    assertThat(term.isWhy(new InterruptedException())).isTrue();
  }

  private static Grant grantLostBy(LossReason reason) {
    return (Grant)
        Proxy.newProxyInstance(
            TermTest.class.getClassLoader(),
            new Class<?>[] {Grant.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "release" ->
                      reason == LossReason.RELEASED ? ReleaseOutcome.FREED : ReleaseOutcome.LOST;
                  case "check" -> throw new LockLostException("The lock is not held.", reason);
                  default -> throw new AssertionError(method.getName());
                });
  }
}
