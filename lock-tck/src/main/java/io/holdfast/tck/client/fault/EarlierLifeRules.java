package io.holdfast.tck.client.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.ClientBuilder;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.ProcessIdentity;
import io.holdfast.error.LossReason;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.EndIf;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A client that shall release the locks that an earlier life of its process held. */
@Topic(value = "EAR", level = Level.CORE, clause = "ClientBuilder.releaseEarlierLife")
public interface EarlierLifeRules extends ClientFixture {

  /** The process whose lives they are. */
  public ProcessIdentity PROCESS = new ProcessIdentity("till 7");

  private TestClient earlierLife(Duration ttl) {
    return client(Holdfast.builder().defaultTtl(ttl).processIdentity(PROCESS));
  }

  private TestClient nextLife() {
    return client(nextLifesSettings());
  }

  private static ClientBuilder nextLifesSettings() {
    return Holdfast.builder().defaultTtl(LONG_TTL).processIdentity(PROCESS).releaseEarlierLife();
  }

  private Holder holder(TestClient looker, String name) {
    return looker.client().find(name).flatMap(LockRecord::holder).orElseThrow();
  }

  @Test
  @Rule(value = "HF-EAR-01", marked = 6)
  default void nothingIsTakenFromUnderAnEarlierLifeThatStillBelieves() {
    TestClient earlier = earlierLife(LONG_TTL);
    Grant grant = earlier.hold(NAME);

    TestClient next = nextLife();

    assertThat(next.attempt(NAME)).isEmpty();
    Holder holder = holder(next, NAME);
    assertThat(holder.request().session())
        .isEqualTo(earlier.client().health().sessions().get(0).id());
    assertThat(holder.revokedAt()).isPresent();
    grant.release();
    assertThat(next.hold(NAME).token()).isGreaterThan(grant.token());
  }

  /** It renews for as long as its process lives, and would never let go. */
  @Test
  @Rule("HF-EAR-02")
  default void anEarlierLifeThatHangsIsToldAndItsLockPassesOnAllTheSame() {
    Grant grant = earlierLife(AMPLE_TTL).hold(NAME);
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    grant.onLost(losses::add);
    AtomicBoolean believedBeside = new AtomicBoolean();

    TestClient next = nextLife();
    Waiting waiting =
        new Waiting(
            () -> {
              Grant taken = next.acquire(NAME, longWait());
              believedBeside.set(grant.isHeld());
              return taken;
            });

    assertThat(waiting.grant().token()).isGreaterThan(grant.token());
    assertThat(believedBeside).as("whether a holder believed beside another").isFalse();
    await().atMost(longWait()).until(() -> losses.contains(LossReason.REVOKED));
  }

  @Test
  @Rule("HF-EAR-03")
  default void everythingThatADeadEarlierLifeHeldIsFreeAtOnce() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    TestClient earlier = earlierLife(LONG_TTL);
    List<String> names = List.of("orders/1", "orders/2", "stock");
    names.forEach(earlier::hold);
    fixture()
        .connect()
        .end(earlier.client().health().sessions().get(0).id(), EndIf.CLOSED, StoreFixture.soon());

    TestClient next = nextLife();

    assertThat(next.client().list("")).isEmpty();
    assertThat(next.count(Verb.OVERTAKE)).isZero();
  }

  @Test
  @Rule("HF-EAR-04")
  default void whatOthersHoldIsLeftAlone() {
    TestClient other = client();
    other.hold(NAME);
    earlierLife(LONG_TTL).hold("stock");

    TestClient next = nextLife();

    assertThat(holder(next, NAME).revokedAt()).isEmpty();
    assertThat(holder(next, "stock").revokedAt()).isPresent();
  }

  @Test
  @Rule("HF-EAR-05")
  default void locksWithAnotherNamePrefixAreLeftAlone() {
    TestClient earlier = earlierLife(LONG_TTL);
    List.of("a/1", "b/1").forEach(earlier::hold);

    client(nextLifesSettings().namePrefix("a/"));

    assertThat(holder(earlier, "a/1").revokedAt()).isPresent();
    assertThat(holder(earlier, "b/1").revokedAt()).isEmpty();
  }

  @Test
  @Rule(value = "HF-EAR-06", marked = 19)
  default void aLeastTimeOfAnEarlierLifeGoesOn() {
    NotApplicableException.unless(
        fixture().capabilities().stays().contains(Stays.AT_LEAST), "This store has no AT_LEAST.");
    TestClient earlier = earlierLife(LONG_TTL);
    earlier
        .client()
        .lock(NAME)
        .acquire(AcquireOptions.within(longWait()).atLeast(AcquireOptions.STAY_MAX))
        .release();

    TestClient next = nextLife();

    assertThat(next.attempt(NAME)).isEmpty();
    assertThat(holder(next, NAME).liveness()).isEqualTo(Liveness.STAYING);
  }
}
