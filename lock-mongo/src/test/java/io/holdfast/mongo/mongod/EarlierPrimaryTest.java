package io.holdfast.mongo.mongod;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.mongo.InterleavedTestBase;
import io.holdfast.record.Liveness;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the kit asks of a restart, where the kit itself needs a real server. */
class EarlierPrimaryTest extends InterleavedTestBase {

  EarlierPrimaryTest() {
    super("earlier", BackendOptions.DEFAULTS);
  }

  @Test
  void aHolderOfAnEarlierIncarnationIsDoubtfulUntilItRenews() {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    SpiClient other = client();

    EarlierPrimary.wrote(past.getDatabase(database));

    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.LAPSED);
    holder.renewed();
    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.LIVE);
    assertThat(holder.holding(held.request())).isEqualTo(held);
  }

  @Test
  void noticesAndStaysAreKept() {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    Held another = holder.hold(new LockName("orders/43"));
    SpiClient other = client();
    other.revoke(held.observed(), RevokeWhen.SAFELY);
    holder.releaseAfter(another.request(), Duration.ofHours(1));

    EarlierPrimary.wrote(past.getDatabase(database));

    assertThat(holder.toldRevoked()).containsExactly(held.request().id());
    assertThat(other.refused(LOCK).stay()).isPresent();
    assertThat(other.refused(another.request().name()).stay()).isPresent();
  }
}
