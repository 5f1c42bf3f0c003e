package io.holdfast.memory;

import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.client.AcquireRules;
import io.holdfast.tck.client.CloseRules;
import io.holdfast.tck.client.OrphanRules;
import io.holdfast.tck.client.StayClientRules;
import io.holdfast.tck.client.fault.AmbiguityRules;
import io.holdfast.tck.client.fault.ClockStepRules;
import io.holdfast.tck.client.fault.EarlierLifeRules;
import io.holdfast.tck.client.fault.FailOverBeliefRules;
import io.holdfast.tck.client.fault.LossRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.rules.call.UnsettledRules;
import io.holdfast.tck.rules.failure.ClockRules;
import io.holdfast.tck.rules.failure.FailOverRules;
import io.holdfast.tck.rules.failure.RestartRules;
import io.holdfast.tck.rules.failure.SharedFailOverRules;
import io.holdfast.tck.rules.failure.StayClockRules;
import io.holdfast.tck.rules.queue.DeadWaiterRules;
import io.holdfast.tck.rules.queue.LookRules;
import io.holdfast.tck.rules.queue.OvertakeRules;
import io.holdfast.tck.rules.queue.ReleaseRules;
import io.holdfast.tck.rules.queue.RevokeRules;
import io.holdfast.tck.rules.queue.SharedRules;
import io.holdfast.tck.rules.queue.StayRules;
import io.holdfast.tck.rules.record.RecordRules;
import io.holdfast.tck.rules.session.ExpiryRules;
import io.holdfast.tck.rules.session.ResumeRules;
import io.holdfast.tck.rules.session.SessionRules;
import io.holdfast.tck.rules.session.SweepRules;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.Tag;

/**
 * What could break where the backend ends sessions by itself, although the whole kit has passed on
 * the reference backend: sessions ({@link SessionRules} to {@link SweepRules}), what becomes of
 * their requests ({@link OvertakeRules} to {@link RecordRules}), what is known of time and of
 * earlier lives of the store ({@link ClockRules} to {@link StayClockRules}), and clients whose
 * lease runs out ({@link AcquireRules} to {@link OrphanRules}).
 */
@Adapter("memory")
@SharedServer(disturbedBy = {})
@Tag("long")
class MemoryExpiryTckTest extends TckBase
    implements SessionRules,
        ExpiryRules,
        ResumeRules,
        SweepRules,
        OvertakeRules,
        DeadWaiterRules,
        ReleaseRules,
        SharedRules,
        StayRules,
        LookRules,
        UnsettledRules,
        RevokeRules,
        RecordRules,
        ClockRules,
        RestartRules,
        FailOverRules,
        SharedFailOverRules,
        StayClockRules,
        AcquireRules,
        StayClientRules,
        AmbiguityRules,
        LossRules,
        EarlierLifeRules,
        FailOverBeliefRules,
        ClockStepRules,
        CloseRules,
        OrphanRules {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore(MemoryOptions.DEFAULTS.expiry(Expiry.BY_STORE));
  }
}
