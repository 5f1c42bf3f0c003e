package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.error.HoldfastException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.view.LockView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What comes out of a body whose grant is in trouble, and of the interrupts it was sent. */
class BodyTest {

  private final World world = new World(Wakeup.POLL);
  private final World.Peer holder = world.process();
  private final World.Peer other = world.process();

  @AfterEach
  void nothingIsLeftForTheNextTest() {
    boolean unused = Thread.interrupted();
  }

  private void cutOff() {
    holder.network = World.down();
    world.time.advance(Duration.ofSeconds(16));
  }

  private <E extends Exception> void run(DistributedLock.Body<E> body) throws E {
    holder.client.lock("a").run(Duration.ZERO, body);
  }

  private void revoke(String lock) {
    other.client.revoke(other.client.find(lock).orElseThrow(), RevokeWhen.SAFELY);
    world.time.advance(World.TTL);
  }

  private static void sleep() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("from the body");
    }
  }

  @Test
  void aBodyThatAnswersTheInterruptOfItsRevocationIsReportedAsLost() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      revoke("a");
                      sleep();
                    }))
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> {
              assertThat(lost.reason()).isEqualTo(LossReason.REVOKED);
              assertThat(lost.getSuppressed())
                  .hasAtLeastOneElementOfType(InterruptedException.class);
            });
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void whatABodyThrowsWhoseGrantIsInForceComesOut() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      throw new IOException("from the body");
                    }))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aCheckInTheBodyWaitsOutTheJeopardyThatItWasInterruptedFor() {
    run(
        grant -> {
          cutOff();
          assertThat(Thread.currentThread().isInterrupted()).isTrue();
          world.after(Duration.ofSeconds(3), () -> holder.network = World.Sent::pass);
          grant.check();
          assertThat(grant.isHeld()).isTrue();
          assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void aCheckInTheBodyThrowsWhenTheGraceTimeIsOver() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      cutOff();
                      grant.check();
                    }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void theInterruptOfSomebodyElseIsThereAfterALoss() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      Thread.currentThread().interrupt(); // As by a pool that shuts down.
                      world.time.after(0, () -> {});
                      revoke("a");
                    }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void theInterruptOfSomebodyElseThatTheBodyAnsweredIsThereIfSomethingElseIsThrown() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      Thread.currentThread().interrupt();
                      cutOff();
                      sleep();
                    }))
        .isInstanceOf(HoldfastException.class)
        .satisfies(
            thrown ->
                assertThat(thrown.getSuppressed())
                    .hasAtLeastOneElementOfType(InterruptedException.class));
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void anInterruptThatTheBodyAnsweredBeforeItsGrantWasLostIsThereAfterwards() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      try {
                        Thread.currentThread().interrupt(); // As by a pool that shuts down.
                        sleep();
                      } finally {
                        holder.client.orphan(); // Loses it, and interrupts nobody any more.
                      }
                    }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void anInterruptAfterTheBodyHasAnsweredItsOwnIsThereAfterwards() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      revoke("a");
                      try {
                        sleep();
                      } finally {
                        Thread.currentThread().interrupt();
                      }
                    }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void theInterruptOfAnOuterBodyIsNotSwallowedByTheInnerOne() {
    assertThatThrownBy(
            () ->
                holder
                    .client
                    .lock("outer")
                    .run(
                        Duration.ZERO,
                        outer -> {
                          assertThatThrownBy(
                                  () ->
                                      holder
                                          .client
                                          .lock("inner")
                                          .run(
                                              Duration.ZERO,
                                              inner -> {
                                                revoke("inner");
                                                revoke("outer");
                                              }))
                              .isInstanceOf(LockLostException.class)
                              .hasMessageContaining("inner");
                          assertThat(Thread.currentThread().isInterrupted()).isTrue();
                        }))
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("outer");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void theInterruptOfAnInnerBodyIsNoneOfTheOuterOnes() {
    holder
        .client
        .lock("outer")
        .run(
            Duration.ZERO,
            outer -> {
              assertThatThrownBy(
                      () ->
                          holder.client.lock("inner").run(Duration.ZERO, inner -> revoke("inner")))
                  .isInstanceOf(LockLostException.class);
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
            });
  }

  private <E extends Exception> void runNested(NestedBody<E> body) throws E {
    holder
        .client
        .lock("outer")
        .run(
            Duration.ZERO,
            outer -> {
              holder.client.lock("inner").run(Duration.ZERO, inner -> body.run(outer, inner));
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
            });
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  private interface NestedBody<E extends Exception> {
    void run(Grant outer, Grant inner) throws E;
  }

  private void cutOffForAWhile() {
    cutOff();
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    world.after(Duration.ofSeconds(3), () -> holder.network = World.Sent::pass);
  }

  /** They share a session, and so its jeopardy. */
  @Test
  void aCheckInAnInnerBodyWaitsOutTheJeopardyThatBothWereInterruptedFor() {
    runNested(
        (outer, inner) -> {
          cutOffForAWhile();
          inner.check();
          assertThat(inner.isHeld()).isTrue();
          assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
  }

  @Test
  void anInnerBodyMayWaitOutTheJeopardyOfTheOuterOne() {
    runNested(
        (outer, inner) -> {
          cutOffForAWhile();
          outer.check();
          assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
  }

  @Test
  void theEndOfAnInnerBodyWaitsOutTheJeopardyThatBothWereInterruptedFor() {
    runNested((outer, inner) -> cutOffForAWhile());
  }

  @Test
  void theEndOfAnInnerBodyThatThrowsWaitsOutTheJeopardyThatBothWereInterruptedFor() {
    assertThatThrownBy(
            () ->
                runNested(
                    (outer, inner) -> {
                      cutOffForAWhile();
                      throw new IOException("from the body");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void anInterruptOfSomebodyElseThatACheckHasToldIsNotToldAgain() {
    run(
        grant -> {
          Thread.currentThread().interrupt();
          cutOff();
          assertThatThrownBy(grant::check).isInstanceOf(LockInterruptedException.class);
          sleepInVain();
          world.after(Duration.ofSeconds(3), () -> holder.network = World.Sent::pass);
          grant.check();
        });
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void anInterruptOfSomebodyElseThatACheckHasToldIsNotToldAgainInAnInnerBody() {
    runNested(
        (outer, inner) -> {
          Thread.currentThread().interrupt();
          cutOff();
          assertThatThrownBy(inner::check).isInstanceOf(LockInterruptedException.class);
          sleepInVain();
          world.after(Duration.ofSeconds(3), () -> holder.network = World.Sent::pass);
          inner.check();
        });
  }

  /** It comes while the inner body unwinds because of its own. */
  @Test
  void theInterruptOfAnOuterBodyIsNotTakenForThatOfSomebodyElse() {
    assertThatThrownBy(
            () ->
                other
                    .client
                    .lock("outer")
                    .run(
                        Duration.ZERO,
                        outer ->
                            run(
                                inner -> {
                                  cutOff();
                                  try {
                                    sleep();
                                  } finally {
                                    other.network = World.down();
                                    world.time.advance(Duration.ofSeconds(16));
                                  }
                                })))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void anInterruptOfTheOuterBodyThatPassesThroughTheInnerOneIsNotPendingAfterwards() {
    assertThatThrownBy(
            () ->
                run(
                    outer ->
                        holder
                            .client
                            .lock("inner")
                            .run(
                                Duration.ZERO,
                                inner -> {
                                  revoke("a");
                                  sleep();
                                })))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void anInterruptThatIsThrownOnlyAfterAnInnerBodyIsStillOurs() {
    assertThatThrownBy(
            () ->
                run(
                    outer -> {
                      revoke("a");
                      try {
                        sleep();
                      } finally {
                        holder.client.lock("inner").run(Duration.ZERO, inner -> {});
                      }
                    }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void anInterruptThatTheBodyHasAnsweredIsNotToldAgainByALaterInnerBody() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      revoke("a");
                      sleepInVain();
                      for (String lock : List.of("x", "y")) {
                        holder.client.lock(lock).run(Duration.ZERO, inner -> {});
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                      }
                    }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void ofTwoInterruptsOfOneGrantNoneIsLeft() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      cutOff();
                      try {
                        sleep();
                      } finally {
                        world.time.advance(World.TTL.multipliedBy(2)); // Now it is lost.
                      }
                    }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** The grant shares the session of the body's, and so its jeopardy. */
  @Test
  void aCheckOfAnotherGrantInABodyWaitsOutTheJeopardyThatTheBodyWasInterruptedFor() {
    run(
        body -> {
          Grant grant = holder.client.lock("other").acquire();
          cutOffForAWhile();
          grant.check();
          assertThat(grant.isHeld()).isTrue();
          assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** What it is told of its own grant is not lost while it asks about another one. */
  @Test
  void aCheckOfAnotherGrantLeavesTheInterruptOfTheBodyPending() {
    assertThatThrownBy(
            () ->
                other
                    .client
                    .lock("a")
                    .run(
                        Duration.ZERO,
                        body -> {
                          Grant grant = holder.client.lock("other").acquire();
                          other.network = World.down();
                          cutOffForAWhile();
                          grant.check();
                          assertThat(Thread.currentThread().isInterrupted()).isTrue();
                        }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void anInterruptThatTwoBodiesWereToGetAndTheInnerOneAnsweredIsNoneOfSomebodyElse() {
    AcquireOptions brief = AcquireOptions.once().atMost(Duration.ofSeconds(17));
    assertThatThrownBy(
            () ->
                run(
                    outer ->
                        other
                            .client
                            .lock("inner")
                            .call(
                                brief,
                                inner -> {
                                  cutOffForAWhile();
                                  world.time.advance(Duration.ofSeconds(5));
                                  assertThat(outer.isHeld()).isTrue();
                                  sleep();
                                  return inner;
                                })))
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> assertThat(lost.reason()).isEqualTo(LossReason.AT_MOST_REACHED));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void theInterruptOfSomebodyElseAfterAJeopardyThatIsOverIsThereIfSomethingElseIsThrown() {
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      cutOffForAWhile();
                      grant.check();
                      Thread.currentThread().interrupt();
                      revoke("a");
                      sleep();
                    }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  /** It is set aside while the body waits, and the body is interrupted meanwhile. */
  @Test
  @SuppressWarnings("LockNotBeforeTry")
  void theInterruptOfSomebodyElseBeforeAWaitThroughInterruptsIsThereAfterALoss() {
    Grant taken = other.client.lock("b").acquire();
    LockView view = holder.client.lock("b").asLock();
    assertThatThrownBy(
            () ->
                run(
                    grant -> {
                      Thread.currentThread().interrupt();
                      holder.network = World.dead();
                      world.after(
                          Duration.ofSeconds(60),
                          () -> {
                            holder.network = World.Sent::pass;
                            taken.release();
                          });
                      view.lock();
                    }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  private static void sleepInVain() {
    assertThatThrownBy(BodyTest::sleep).isInstanceOf(InterruptedException.class);
  }
}
