package io.holdfast.tck;

import io.holdfast.tck.client.ClientRules;
import io.holdfast.tck.process.ClientClockRules;
import io.holdfast.tck.process.ConcurrencyRules;
import io.holdfast.tck.process.CrashRules;
import io.holdfast.tck.process.FaultyNetworkRules;
import io.holdfast.tck.rules.CallRules;
import io.holdfast.tck.rules.CapabilityRules;
import io.holdfast.tck.rules.ClockRules;
import io.holdfast.tck.rules.DeadWaiterRules;
import io.holdfast.tck.rules.DyingRules;
import io.holdfast.tck.rules.ExpiryRules;
import io.holdfast.tck.rules.FailOverRules;
import io.holdfast.tck.rules.GrabRules;
import io.holdfast.tck.rules.InterleavingRules;
import io.holdfast.tck.rules.LookRules;
import io.holdfast.tck.rules.MessageRules;
import io.holdfast.tck.rules.NameRules;
import io.holdfast.tck.rules.NamespaceRules;
import io.holdfast.tck.rules.OvertakeRules;
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
 * <pre>{@code
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
        ClockRules,
        RestartRules,
        FailOverRules,
        QuorumRules,
        DyingRules,
        InterleavingRules,
        MessageRules,
        ClientRules,
        ConcurrencyRules,
        CrashRules,
        ClientClockRules,
        FaultyNetworkRules {}
