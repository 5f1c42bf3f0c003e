package io.holdfast.memory;

import io.holdfast.record.Liveness;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.answer.Observed;
import java.time.Duration;
import java.util.Optional;

/**
 * The decisions of the reference store, one method for each, so that a mutant can get exactly one
 * of them wrong. A user of the store has no need to look in here; its {@link #KEPT right} decisions
 * are the default.
 *
 * <p>Called under the store's monitor: implementations compute and do nothing else.
 */
public class MemoryRules {

  /** Every rule is kept. */
  public static final MemoryRules KEPT = new MemoryRules();

  /** Makes rules that are kept, to be overridden. */
  protected MemoryRules() {}

  /**
   * The number of a new grant. The clock keeps it rising where the record was lost, the last number
   * where the clock was set back, the floor where both happened to a deleted record.
   */
  protected long number(long clockMicros, long last, long floor) {
    return Math.max(clockMicros, Math.max(last, floor) + 1);
  }

  /** How long ago something happened; empty where that cannot be judged. */
  protected Optional<Duration> age(Stamp then, Stamp now) {
    return then.age(now);
  }

  /** How long ago a session was renewed, as a sweep judges; empty where that cannot be judged. */
  protected Optional<Duration> ageForSweep(Stamp renewed, Stamp now) {
    return age(renewed, now);
  }

  /** How long a renewal is good for, and a revoked holder has to stop, by the store's clock. */
  protected Duration lease(Duration ttl, Duration maxClockStep) {
    return ttl.plus(maxClockStep);
  }

  /** The new time of a session's renewal when a client finds that its age cannot be judged. */
  protected Stamp restamped(Stamp then, Stamp now) {
    return now;
  }

  /** Whether others may remove a head: only one that is over, or was revoked long enough ago. */
  protected boolean mayBeOvertaken(Liveness head) {
    return head == Liveness.ENDED || head == Liveness.REVOCATION_DUE;
  }

  /** Whether the head is still the one that was observed. */
  protected boolean isAsObserved(Observed observed, Observed present) {
    return observed.equals(present);
  }

  /** The exception of a verb when a step fails after another one was done. */
  protected RuntimeException failedHalfway(RuntimeException failure) {
    return BackendFailure.halfway(failure);
  }

  /** Whether a verb of several steps asks before each of them whether its deadline has passed. */
  protected boolean eachStepHeedsTheDeadline() {
    return true;
  }

  /** At which index of the waiting requests a new one joins. */
  protected int placeOfNewcomer(int waiting) {
    return waiting;
  }

  /** Whether a shared request may join a run past so many that wait. */
  protected boolean mayPass(int waiting) {
    return waiting == 0;
  }

  /**
   * Whether a run may be joined whose number was given in one incarnation, when a later one may
   * have lost grants.
   */
  protected boolean runIsPresent(int givenIn, int mayHaveLostGrants) {
    return givenIn >= mayHaveLostGrants;
  }

  /**
   * Whether those who wait may be let into a run whose number was given in one incarnation, when a
   * later one may have lost grants.
   */
  protected boolean runMayBeExtended(int givenIn, int mayHaveLostGrants) {
    return runIsPresent(givenIn, mayHaveLostGrants);
  }

  /** Which number a run has when one more request has joined it at once. */
  protected long joined(long number, long next) {
    return number;
  }

  /** Whether the shared requests behind a waiting request that leaves are let in. */
  protected boolean withdrawalLetsSharedIn() {
    return true;
  }

  /** Whether no request of a run holds any more, when one has left and so many others are there. */
  protected boolean endsTheRun(int othersThatHold) {
    return othersThatHold == 0;
  }

  /** How many of so many holders a look judges. */
  protected int holdersNamed(int holders) {
    return holders;
  }

  /** Which number a run gets when its first holder gives up exclusive mode. */
  protected long downgraded(long last, long next) {
    return next;
  }

  /** Which number the next holder gets when the lock is handed on. */
  protected long handedOn(long last, long next) {
    return next;
  }

  /** The new floor before a record with this number is deleted. */
  protected long raised(long floor, long number) {
    return Math.max(floor, number);
  }

  /** Whether the requests of a session leave their queues with it, where the store ends it. */
  protected boolean requestsEndWithTheirSession() {
    return true;
  }

  /** Whether a look tells of the requests of a session that is over that they are not there. */
  protected boolean requestsOfTheDeadAreAbsent() {
    return true;
  }

  /** Whether a safe revocation waits until the restart guard is over. */
  protected boolean revocationHeedsTheGuard() {
    return true;
  }

  /** Whether sessions opened before a fail-over that may have lost grants are over. */
  protected boolean failOverEndsSessions() {
    return true;
  }

  /** For how long nothing is granted after grants may have been lost. */
  protected Duration restartGuard(Duration lease) {
    return lease;
  }

  /** The new beginning of the restart guard when a client finds it in the future. */
  protected Stamp restampedGuard(Stamp began, Stamp now) {
    return now;
  }

  /** Since when a lock is idle whose own time cannot be judged, as a sweep finds. */
  protected Stamp restampedIdle(Stamp since, Stamp now) {
    return now;
  }

  /** The new beginning of a stay when a client finds that its age cannot be judged. */
  protected Stamp restampedStay(Stamp began, Stamp now) {
    return now;
  }

  /** Whether a sweep, too, lets a stay begin again whose age cannot be judged. */
  protected boolean sweepRestampsStays() {
    return true;
  }

  /** How long ago a stay began; empty where that cannot be judged. */
  protected Optional<Duration> stayAge(Stamp began, Stamp now) {
    return age(began, now);
  }

  /** From when on a revoked holder has a whole lease to stop. */
  protected Stamp revocationBegan(Stamp granted, Stamp revoked) {
    return revoked;
  }

  /** Whether a grant that is revoked again has only what was left from the first time. */
  protected boolean firstMarkCounts() {
    return true;
  }

  /** Whether a lock-delay begins when a request is overtaken that may have had its delay. */
  protected boolean beginsDelay(boolean isUsedUp, boolean hasStay) {
    return !isUsedUp;
  }

  /** Whether a request with a lock-delay leaves at once when its client releases it. */
  protected boolean releaseLeavesNoDelay() {
    return true;
  }

  /** Whether a request that stays after its release is left as it is by a further release. */
  protected boolean releaseLeavesWhatStays() {
    return true;
  }

  /** Whether a request that stays after its release does so also when its session is over. */
  protected boolean staysWithoutSession() {
    return true;
  }

  /** Whether a request that stays after its release is absent for its client. */
  protected boolean whatStaysIsAbsent() {
    return true;
  }

  /** How long a holder stays that was revoked with notice. */
  protected Duration noticeStay(Duration notice, Duration ttl) {
    return notice.compareTo(ttl) > 0 ? notice : ttl;
  }

  /** Whether the session of a holder that is revoked with notice is told. */
  protected boolean noticeIsTold() {
    return true;
  }

  /** Whether of two notices of a holder the one counts that leaves it less time. */
  protected boolean stricterNoticeCounts() {
    return true;
  }

  /** Whether an answer waits until what it tells cannot be undone. */
  protected boolean answersWhenDurable() {
    return true;
  }

  /** Whether a hand-over in steps may write, given the record's version when it read and now. */
  protected boolean isUnchanged(long versionRead, long versionNow) {
    return versionRead == versionNow;
  }

  /** Whether a hand-over in steps changes the record first and takes the place away after. */
  protected boolean recordBeforePlace() {
    return true;
  }

  /** Whether a revocation in steps marks the holder's session before the lock's record. */
  protected boolean sessionBeforeRecord() {
    return true;
  }

  /** Whether a waiter that gives up looks once more whether it was handed the lock meanwhile. */
  protected boolean leaverLooksAgain() {
    return true;
  }
}
