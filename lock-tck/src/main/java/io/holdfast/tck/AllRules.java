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
import io.holdfast.tck.rules.call.TwoRevokersRules;
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
import io.holdfast.tck.rules.record.NameRules;
import io.holdfast.tck.rules.record.NamespaceRules;
import io.holdfast.tck.rules.record.RecordRules;
import io.holdfast.tck.rules.record.RequestWordsRules;
import io.holdfast.tck.rules.record.TokenRules;
import io.holdfast.tck.rules.session.ExpiryRules;
import io.holdfast.tck.rules.session.ResumeRules;
import io.holdfast.tck.rules.session.SessionRules;
import io.holdfast.tck.rules.session.SweepRules;
import io.holdfast.tck.stress.StressRules;

/** The rules of {@link HoldfastTck} that are in interfaces, one for each topic. */
abstract class AllRules extends TckBase
    implements SessionRules,
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
        RequestWordsRules,
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
        TwoRevokersRules,
        StressRules,
        MessageRules,
        ClientRules,
        ConcurrencyRules,
        CrashRules,
        DisturbedWorkRules,
        ClientClockRules,
        FaultyNetworkRules {}
