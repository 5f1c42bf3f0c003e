package io.holdfast.tck;

import io.holdfast.tck.client.ClientRules;
import io.holdfast.tck.process.ClientClockRules;
import io.holdfast.tck.process.ConcurrencyRules;
import io.holdfast.tck.process.CrashRules;
import io.holdfast.tck.process.FaultyNetworkRules;
import io.holdfast.tck.rules.CallRules;
import io.holdfast.tck.rules.CapabilityRules;
import io.holdfast.tck.rules.ClockRules;
import io.holdfast.tck.rules.ConductRules;
import io.holdfast.tck.rules.ContentionRules;
import io.holdfast.tck.rules.DeadWaiterRules;
import io.holdfast.tck.rules.DeadlineRules;
import io.holdfast.tck.rules.DueRules;
import io.holdfast.tck.rules.DyingRules;
import io.holdfast.tck.rules.ExpiryRules;
import io.holdfast.tck.rules.FailOverRules;
import io.holdfast.tck.rules.GrabRules;
import io.holdfast.tck.rules.HalfwayRules;
import io.holdfast.tck.rules.InterleavingRules;
import io.holdfast.tck.rules.LookRules;
import io.holdfast.tck.rules.MessageRules;
import io.holdfast.tck.rules.NameRules;
import io.holdfast.tck.rules.NamespaceRules;
import io.holdfast.tck.rules.OvertakeRules;
import io.holdfast.tck.rules.QueueLimitRules;
import io.holdfast.tck.rules.QueueRules;
import io.holdfast.tck.rules.QuorumRules;
import io.holdfast.tck.rules.RecordRules;
import io.holdfast.tck.rules.ReleaseRules;
import io.holdfast.tck.rules.RestartRules;
import io.holdfast.tck.rules.ResumeRules;
import io.holdfast.tck.rules.RevokeRules;
import io.holdfast.tck.rules.SessionRules;
import io.holdfast.tck.rules.SweepRules;
import io.holdfast.tck.rules.TokenRules;
import io.holdfast.tck.rules.UnsettledRules;

/**
 * The proof of an adapter. Its test tree extends this class by one that says how to get an empty
 * store; the rules are in the interfaces, one a topic.
 *
 * <p>It ends in a verdict, {@code target/holdfast-tck/report.md} and {@code report.json}: how each
 * claim of the store stands, each level, and each rule under its id. What is not proved stands
 * there with the reason, most often a {@code …Control} of {@link io.holdfast.tck.store} that the
 * store does not implement.
 *
 * <p>Rules for what only some servers can go through are in {@code io.holdfast.tck.adapter}: a test
 * class of its own implements them, and {@link io.holdfast.tck.report.Adapter} has it add to the
 * same report. Soak rules run with {@code -Dholdfast.tck.soak=true} only.
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
        LookRules,
        UnsettledRules,
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
        QuorumRules,
        DyingRules,
        HalfwayRules,
        InterleavingRules,
        MessageRules,
        ClientRules,
        ConcurrencyRules,
        CrashRules,
        ClientClockRules,
        FaultyNetworkRules {}
