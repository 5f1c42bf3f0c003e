package io.holdfast.tck.client;

import io.holdfast.tck.client.fault.AmbiguityRules;
import io.holdfast.tck.client.fault.ClockStepRules;
import io.holdfast.tck.client.fault.EarlierLifeRules;
import io.holdfast.tck.client.fault.FailOverBeliefRules;
import io.holdfast.tck.client.fault.HangRules;
import io.holdfast.tck.client.fault.LossRules;
import io.holdfast.tck.client.fault.NetworkRules;
import io.holdfast.tck.client.observe.DeadlockRules;
import io.holdfast.tck.client.observe.ElectionRules;
import io.holdfast.tck.client.observe.SequencerRules;
import io.holdfast.tck.client.observe.WatchRules;

/** All rules that are shown through a client. */
public interface ClientRules
    extends AcquireRules,
        GateRules,
        PassingOnRules,
        CachedRules,
        SharedClientRules,
        AsyncRules,
        ViewRules,
        MultiLockRules,
        DeadlockRules,
        SequencerRules,
        HoldTimeRules,
        StayClientRules,
        AmbiguityRules,
        LossRules,
        EarlierLifeRules,
        FailOverBeliefRules,
        ClockStepRules,
        HangRules,
        NetworkRules,
        CloseRules,
        ElectionRules,
        WatchRules,
        OrphanRules {}
