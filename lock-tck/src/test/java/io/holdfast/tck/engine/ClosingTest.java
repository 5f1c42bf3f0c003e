package io.holdfast.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ClientClosedException;
import io.holdfast.Grant;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
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
  void aBodyIsInterruptedWhenItsClientIsClosed() {
    process
        .client
        .lock("a")
        .run(
            Duration.ZERO,
            grant -> {
              process.client.close();
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
              assertThat(grant.isHeld()).isFalse();
            });
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void aGrabThatIsAnsweredAfterClosingIsNeverBelieved() {
    process.client.lock("open").acquire();
    process.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("grab")) {
            process.client.close();
          }
          return answer;
        };
    assertThatThrownBy(() -> process.client.lock("a").acquire())
        .isInstanceOf(ClientClosedException.class);
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
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
}
