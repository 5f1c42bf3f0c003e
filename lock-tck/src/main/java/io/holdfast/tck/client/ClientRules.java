package io.holdfast.tck.client;

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
