package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockEvent;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Closing a client, and the exit of a process, beside work that is under way. */
class ClosingTest {

  private final World world = new World(Wakeup.POLL);
  private final World.Peer process = world.process();
  private final World.Peer other = world.process();

  @Test
  void aThreadThatIsInterruptedGivesEverythingBackWhenItCloses() {
    process.client.lock("a").acquire();
    Thread.currentThread().interrupt();
    process.client.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void anExitWithdrawsWaitsAlsoWhereTheirSessionHoldsSomething() {
    Grant wanted = other.client.lock("wanted").acquire();
    process.client.lock("held").acquire();
    world.time.after(
        Duration.ofSeconds(1).toNanos(),
        () -> {
          process.seam.exit();
          process.network =
              sent -> {
                throw new VirtualSeam.Hang(); // The process is gone.
              };
        });
    assertThatThrownBy(() -> process.client.lock("wanted").acquire())
        .isInstanceOf(ClientClosedException.class);
    assertThat(other.client.find("wanted").orElseThrow().waiters()).isEmpty();
    assertThat(other.client.lock("held").tryAcquire()).isEmpty();
    wanted.release();
  }

  @Test
  void aBodyIsInterruptedWhenItsClientIsClosedAndItsCallerIsTold() {
    List<LossReason> losses = new ArrayList<>();
    assertThatThrownBy(
            () ->
                process
                    .client
                    .lock("a")
                    .run(
                        Duration.ZERO,
                        grant -> {
                          grant.onLost(losses::add);
                          process.client.close();
                          assertThat(Thread.currentThread().isInterrupted()).isTrue();
                          assertThat(grant.isHeld()).isFalse();
                          assertThat(grant.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
                          assertThat(other.client.lock("a").tryAcquire()).isPresent();
                        }))
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> assertThat(lost.reason()).isEqualTo(LossReason.CLIENT_CLOSED));
    assertThat(losses).containsExactly(LossReason.CLIENT_CLOSED);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void sessionsEndFirstSoThatNothingIsHeldHoweverMuchThereIsToRelease() {
    int locks = 1000;
    for (int i = 0; i < locks; i++) {
      process.client.lock("lock " + i).acquire();
    }
    process.calls.clear();
    process.network =
        sent -> {
          if (sent.is("release")) {
            throw new VirtualSeam.Hang();
          }
          return sent.pass();
        };
    process.client.close();
    assertThat(process.count("end")).isEqualTo(1);
    assertThat(process.calls).startsWith("end");
    for (int i = 0; i < locks; i++) {
      assertThat(other.client.lock("lock " + i).tryAcquire()).isPresent();
    }
  }

  /** An exception that no adapter should throw says nothing of the next call. */
  @Test
  void aReleaseThatFailsUnexpectedlyIsRepeatedSoThatNoDelayBegins() {
    process.client.lock("a").acquire(AcquireOptions.forever().lockDelay(Duration.ofMinutes(1)));
    boolean[] hasFailed = {false};
    process.network =
        sent -> {
          if (sent.is("release") && !hasFailed[0]) {
            hasFailed[0] = true;
            throw new IllegalStateException("a fault of the adapter");
          }
          return sent.pass();
        };
    process.client.close();
    assertThat(hasFailed[0]).isTrue();
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void whatFailsOnceWhenAClientClosesIsRepeated() {
    Grant held = other.client.lock("waited for").acquire();
    Set<String> failed = new HashSet<>();
    process.client.lock("held").acquire();
    world.after(
        Duration.ofSeconds(1),
        () -> {
          process.network =
              sent -> {
                if (sent.is("end", "release") && failed.add(sent.verb() + whatOf(sent))) {
                  throw World.unreachable();
                }
                return sent.pass();
              };
          process.client.close();
        });
    assertThatThrownBy(() -> process.client.lock("waited for").acquire())
        .isInstanceOf(ClientClosedException.class);
    assertThat(failed).hasSize(3).anyMatch(call -> call.startsWith("end"));
    assertThat(other.client.find("waited for").orElseThrow().waiters()).isEmpty();
    assertThat(other.client.find("held").filter(LockRecord::isHeld)).isEmpty();
    held.release();
  }

  /** All that tells one call from another, which is not its deadline. */
  private static List<Object> whatOf(World.Sent sent) {
    return sent.args().subList(0, sent.args().size() - 1);
  }

  /** The store does the grab before the client closes, and answers it after. */
  private void acquireAndCloseBeforeTheAnswer(String lock) {
    process.client.lock("open").acquire();
    process.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("grab")) {
            process.client.close();
          }
          return answer;
        };
    assertThatThrownBy(() -> process.client.lock(lock).acquire())
        .isInstanceOf(ClientClosedException.class);
  }

  @Test
  void aGrabThatIsAnsweredAfterClosingIsNeverBelieved() {
    acquireAndCloseBeforeTheAnswer("a");
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void aRequestThatJoinsWhileItsClientClosesIsTakenOut() {
    Grant held = other.client.lock("a").acquire();
    acquireAndCloseBeforeTheAnswer("a");
    assertThat(other.client.find("a").orElseThrow().waiters()).isEmpty();
    held.release();
  }

  @Test
  void aLockNamedLikeThePrefixDisturbsNobodyWhoListsBehindIt() {
    World.Peer shop = world.new Peer("shop/");
    other.client.lock("shop/").acquire();
    shop.client.lock("order").acquire();
    assertThat(shop.client.list(""))
        .extracting(record -> record.name().value())
        .containsExactly("order");
    assertThatThrownBy(() -> shop.client.find("")).hasMessageContaining("must not be empty");
  }

  /** Leaves so much unsettled that the session takes no further requests. */
  private void retire() {
    process.network =
        sent -> {
          if (sent.is("grab")) {
            throw World.answerLost();
          }
          return sent.pass();
        };
    for (int i = 0; i < 33; i++) {
      String name = "unsettled " + i;
      assertThatThrownBy(() -> process.client.lock(name).tryAcquire())
          .isInstanceOf(BackendUnreachableException.class);
    }
    process.network = World.Sent::pass;
  }

  @Test
  void theExitWaitsForTheWithdrawalsOfARetiredSession() {
    Grant theirs = other.client.lock("a").acquire();
    List<Integer> waiters = new ArrayList<>();
    world.after(Duration.ofSeconds(1), this::retire);
    world.after(
        Duration.ofSeconds(2),
        () -> {
          process.seam.exit();
          waiters.add(other.client.find("a").orElseThrow().waiters().size());
        });
    assertThatThrownBy(() -> process.client.lock("a").acquire())
        .isInstanceOf(ClientClosedException.class);
    assertThat(theirs.isHeld()).isTrue();
    assertThat(waiters).containsExactly(0);
  }

  @Test
  void aRetiredSessionIsClosedOnce() {
    Grant theirs = other.client.lock("a").acquire();
    world.after(Duration.ofSeconds(1), this::retire);
    world.after(Duration.ofSeconds(2), process.client::close);
    assertThatThrownBy(() -> process.client.lock("a").acquire())
        .isInstanceOf(ClientClosedException.class);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(theirs.isHeld()).isTrue();
    assertThat(process.events).filteredOn(LockEvent.SessionClosed.class::isInstance).hasSize(1);
  }

  @Test
  void theExitWaitsForAGrabUnderWay() {
    Grant held = process.client.lock("b").acquire();
    process.seam.latency(Duration.ofMillis(50));
    List<Boolean> isFree = new ArrayList<>();
    world.after(
        Duration.ofMillis(60),
        () -> {
          process.seam.exit();
          isFree.add(other.client.find("a").flatMap(LockRecord::holder).isEmpty());
        });
    assertThatThrownBy(
            () -> process.client.lock("a").acquire(AcquireOptions.forever().uninterruptibly()))
        .isInstanceOf(ClientClosedException.class);
    assertThat(held.isHeld()).isTrue();
    assertThat(isFree).containsExactly(true);
  }
}
