package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leaving held locks to a later life of the process. */
@Topic(value = "ORP", level = Level.CORE, clause = "ResumableSessions")
public interface OrphanRules extends ClientFixture {

  private LockClient direct() {
    LockBackend backend = fixture().connect();
    StoreFixture.requireResumable(backend);
    LockClient client = Holdfast.builder().defaultTtl(LONG_TTL).connect(backend);
    return fixture().closedWithThis(fixture().store().asSeenByApplication(client));
  }

  @Test
  @Rule(value = "HF-ORP-01", marked = 13)
  default void whatAnOrphanedSessionHoldsIsHeldOnByWhoResumesIt() {
    LockClient before = direct();
    LockClient after = direct();
    Grant held = before.lock(NAME).acquire(longWait());

    List<SessionId> orphans = before.orphan();

    assertThat(held.isHeld()).as("isHeld() of the grant of %s", held.name()).isFalse();
    assertThat(client().attempt(NAME)).isEmpty();
    List<Grant> resumed = orphans.stream().flatMap(id -> after.resume(id).stream()).toList();
    assertThat(resumed).hasSize(1);
    assertThat(resumed.get(0).token()).isGreaterThan(held.token());
    assertThat(resumed.get(0).token().number()).isEqualTo(held.token().number());
    resumed.get(0).check();
    assertThat(client().attempt(NAME)).isEmpty();
    resumed.get(0).release();
    assertThat(client().hold(NAME).token()).isGreaterThan(held.token());
  }

  @Test
  @Rule("HF-ORP-02")
  default void whoeverCannotResumeSessionsSaysSoAndOrphansNone() {
    TestClient one = client();
    Grant held = one.hold(NAME);

    assertThatThrownBy(one.client()::orphan).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> one.client().resume(SessionId.fresh()))
        .isInstanceOf(BadRequestException.class);
    held.check();
  }
}
