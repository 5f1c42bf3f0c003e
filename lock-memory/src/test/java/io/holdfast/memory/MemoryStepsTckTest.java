package io.holdfast.memory;

import io.holdfast.memory.MemoryOptions.HandOver;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.client.AcquireRules;
import io.holdfast.tck.client.CachedRules;
import io.holdfast.tck.client.GateRules;
import io.holdfast.tck.client.SharedClientRules;
import io.holdfast.tck.client.StayClientRules;
import io.holdfast.tck.client.fault.AmbiguityRules;
import io.holdfast.tck.client.fault.HangRules;
import io.holdfast.tck.client.observe.WatchRules;
import io.holdfast.tck.process.ConcurrencyRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.rules.call.DeadlineRules;
import io.holdfast.tck.rules.call.DyingRules;
import io.holdfast.tck.rules.call.HalfwayRules;
import io.holdfast.tck.rules.call.InterleavingRules;
import io.holdfast.tck.rules.call.LateCopyRules;
import io.holdfast.tck.rules.call.TwoRevokersRules;
import io.holdfast.tck.rules.call.UnsettledRules;
import io.holdfast.tck.rules.queue.ContentionRules;
import io.holdfast.tck.rules.queue.DeadWaiterRules;
import io.holdfast.tck.rules.queue.DueRules;
import io.holdfast.tck.rules.queue.GrabRules;
import io.holdfast.tck.rules.queue.LookRules;
import io.holdfast.tck.rules.queue.OvertakeRules;
import io.holdfast.tck.rules.queue.QueueLimitRules;
import io.holdfast.tck.rules.queue.QueueRules;
import io.holdfast.tck.rules.queue.ReleaseRules;
import io.holdfast.tck.rules.queue.RevokeRules;
import io.holdfast.tck.rules.queue.SharedRules;
import io.holdfast.tck.rules.queue.StayRules;
import io.holdfast.tck.rules.record.TokenRules;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.Tag;

/**
 * What could break if clients poll, and hand over in several steps, although the whole kit has
 * passed on the reference backend: the queue ({@link GrabRules} to {@link TokenRules}), what
 * happens between two steps of a verb ({@link DeadlineRules} to {@link TwoRevokersRules}), and how
 * clients wait ({@link AcquireRules} to {@link ConcurrencyRules}).
 */
@Adapter("memory")
@SharedServer(disturbedBy = {})
@Tag("long")
class MemoryStepsTckTest extends TckBase
    implements GrabRules,
        QueueRules,
        QueueLimitRules,
        ContentionRules,
        DueRules,
        OvertakeRules,
        DeadWaiterRules,
        ReleaseRules,
        SharedRules,
        StayRules,
        LookRules,
        UnsettledRules,
        LateCopyRules,
        RevokeRules,
        TokenRules,
        DeadlineRules,
        DyingRules,
        HalfwayRules,
        InterleavingRules,
        TwoRevokersRules,
        AcquireRules,
        GateRules,
        CachedRules,
        SharedClientRules,
        StayClientRules,
        AmbiguityRules,
        HangRules,
        WatchRules,
        ConcurrencyRules {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore(MemoryOptions.DEFAULTS.wakeup(Wakeup.POLL).handOver(HandOver.STEPS));
  }
}
