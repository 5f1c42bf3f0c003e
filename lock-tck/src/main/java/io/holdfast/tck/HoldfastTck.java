package io.holdfast.tck;

import io.holdfast.tck.client.ClientRules;
import io.holdfast.tck.process.ClientClockRules;
import io.holdfast.tck.process.ConcurrencyRules;
import io.holdfast.tck.process.CrashRules;
import io.holdfast.tck.process.DisturbedWorkRules;
import io.holdfast.tck.process.FaultyNetworkRules;
import io.holdfast.tck.rules.call.CallRules;
import io.holdfast.tck.rules.call.ConductRules;
import io.holdfast.tck.rules.call.DeadlineRules;
import io.holdfast.tck.rules.call.DyingRules;
import io.holdfast.tck.rules.call.HalfwayRules;
import io.holdfast.tck.rules.call.InterleavingRules;
import io.holdfast.tck.rules.call.LateCopyRules;
import io.holdfast.tck.rules.call.MessageRules;
import io.holdfast.tck.rules.call.UnsettledRules;
import io.holdfast.tck.rules.failure.ClockRules;
import io.holdfast.tck.rules.failure.FailOverRules;
import io.holdfast.tck.rules.failure.QuorumRules;
import io.holdfast.tck.rules.failure.RestartRules;
import io.holdfast.tck.rules.failure.SharedFailOverRules;
import io.holdfast.tck.rules.failure.StayClockRules;
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
import io.holdfast.tck.rules.record.CapabilityRules;
import io.holdfast.tck.rules.record.NameRules;
import io.holdfast.tck.rules.record.NamespaceRules;
import io.holdfast.tck.rules.record.RecordRules;
import io.holdfast.tck.rules.record.TokenRules;
import io.holdfast.tck.rules.session.ExpiryRules;
import io.holdfast.tck.rules.session.ResumeRules;
import io.holdfast.tck.rules.session.SessionRules;
import io.holdfast.tck.rules.session.SweepRules;

/**
 * The test of an adapter. A test class of the adapter extends this class and says how to get an
 * empty store; the rules are in the interfaces, one for each topic.
 *
 * <p>The result is a report, {@code target/holdfast-tck/report.md} and {@code report.json}, on each
 * claim of the store, each level, and each rule under its id. If something is not proved the report
 * gives the reason, most often a {@code …Control} of {@link io.holdfast.tck.store} that the store
 * does not implement.
 *
 * <p>Rules about events that only some servers can go through are in {@code
 * io.holdfast.tck.adapter}: another test class implements them, and {@link
 * io.holdfast.tck.report.Adapter} adds its results to the same report. Soak rules run with {@code
 * -Dholdfast.tck.soak=true} only.
 *
 * <pre>{@code
 * @Adapter("sqlite")
 * class SqliteTckTest extends HoldfastTck {
 *   @TempDir Path directory;
 *
 *   @Override
 *   protected TckStore openStore() {
 *     return new SqliteTckStore(directory.resolve("locks.db"));
 *   }
 * }
 * }</pre>
 */
public abstract class HoldfastTck extends TckBase
    implements CapabilityRules,
        SessionRules,
        ExpiryRules,
        ResumeRules,
        GrabRules,
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
        NameRules,
        RecordRules,
        NamespaceRules,
        TokenRules,
        SweepRules,
        CallRules,
        DeadlineRules,
        ConductRules,
        ClockRules,
        RestartRules,
        FailOverRules,
        SharedFailOverRules,
        StayClockRules,
        QuorumRules,
        DyingRules,
        HalfwayRules,
        InterleavingRules,
        MessageRules,
        ClientRules,
        ConcurrencyRules,
        CrashRules,
        DisturbedWorkRules,
        ClientClockRules,
        FaultyNetworkRules {}
