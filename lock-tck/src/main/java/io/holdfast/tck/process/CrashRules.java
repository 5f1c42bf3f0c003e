package io.holdfast.tck.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.history.Wanted;
import io.holdfast.tck.process.actor.ActorCommand;
import io.holdfast.tck.process.actor.ActorHandle;
import io.holdfast.tck.process.actor.ChildActor;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Kills (SIGKILL) and pauses (SIGSTOP) of a process that uses a store. */
@Topic(value = "CRA", level = Level.PROCESSES, clause = "docs/guarantees.md, Nobody is stranded")
public interface CrashRules extends ProcessRules {

  /** Locks that a child takes of which one at least outlasts what it does under it. */
  int TRIES_MAX = 5;

  /** The next waiter has the lock when the lease of the dead holder is over. */
  @Test
  @Rule("HF-CRA-01")
  default void aHolderThatIsKilledIsFollowedByTheNextWaiter() throws Exception {
    RecordedRun.perform(
        processSubject(),
        run -> {
          // given
          ChildActor child = run.child("child");
          ActorHandle here = run.steady("here");
          ActorCommand holder = child.hold(run.lock());
          FencingToken last = holder.awaitHolding();
          ActorCommand next = queue(run, here);
          ActorCommand afterNext = queue(run, here);

          // when
          child.kill();

          // then
          assertThat(next.awaitHolding()).isGreaterThan(last);
          next.release();
          afterNext.awaitHolding();
        });
  }

  /** One that waited is dead: those behind it get the lock all the same. */
  @Test
  @Rule("HF-CRA-02")
  default void aWaiterThatIsKilledBlocksNobody() throws Exception {
    killWaiter(run -> {});
  }

  /** The same if its session was over long before the lock came free. */
  @Test
  @Rule("HF-CRA-03")
  default void aWaiterThatHasBeenDeadForLongBlocksNobody() throws Exception {
    killWaiter(RecordedRun::outliveLeases);
  }

  /** No holder is left to hand the lock on, nor the waiter to which it would have been handed. */
  @Test
  @Rule(value = "HF-CRA-04", marked = 14)
  default void aHolderAndTheFirstWaiterKilledTogetherStrandNobody() throws Exception {
    RecordedRun.perform(
        processSubject(),
        run -> {
          // given
          ChildActor child = run.child("child");
          ActorHandle here = run.steady("here");
          ActorCommand holder = child.hold(run.lock());
          FencingToken last = holder.awaitHolding();
          queue(run, child);
          ActorCommand third = queue(run, here);
          ActorCommand fourth = queue(run, here);

          // when
          child.kill();

          // then
          assertThat(third.awaitHolding()).isGreaterThan(last);
          third.release();
          fourth.awaitHolding();
        });
  }

  /**
   * A paused holder cannot know that its lease has run out; but when it wakes, nothing that asks
   * the grant or the register goes through, and its successor is not disturbed.
   */
  @Test
  @Rule("HF-CRA-05")
  default void aHolderThatWasPausedPastItsLeaseSeesTheLossFirst() throws Exception {
    RecordedRun.perform(
        processSubject(),
        run -> {
          // given
          ChildActor child = run.child("child");
          ActorHandle here = run.steady("here");
          ActorCommand paused = holdAndWrite(child, run.lock(), Wanted.of(LockMode.EXCLUSIVE));
          ActorCommand successor = queue(run, here);

          // when
          run.pause(child);
          successor.awaitWrote();
          child.resume();

          // then
          paused.awaitLost();
          assertThat(paused.release()).isEqualTo(ReleaseOutcome.LOST);
          assertThat(successor.hasLost()).as("whether the successor has lost the lock").isFalse();
          assertThat(successor.release()).isEqualTo(ReleaseOutcome.FREED);
        });
  }

  /** Its place is gone with its session, but it gets another one when it wakes. */
  @Test
  @Rule("HF-CRA-06")
  default void aWaiterThatWasPausedPastItsLeaseIsServedAfterTheOthers() throws Exception {
    RecordedRun.perform(
        processSubject(),
        run -> {
          // given
          ChildActor child = run.child("child");
          ActorHandle here = run.steady("here");
          ActorCommand holder = here.hold(run.lock());
          holder.awaitHolding();
          ActorCommand paused = queue(run, child);
          ActorCommand behind = queue(run, here);

          // when
          run.pause(child);
          holder.release();
          FencingToken first = behind.awaitHolding();
          child.resume();
          behind.release();

          // then
          assertThat(paused.awaitHolding()).isGreaterThan(first);
        });
  }

  /**
   * A holder that asked for a lock-delay leaves its lock taken, and what stays for its least time
   * outlives the session of its process.
   */
  @Test
  @Rule(
      value = "HF-CRA-09",
      marked = {19, 20})
  default void whatAKilledProcessHeldOrGaveBackStaysTakenForItsTime() throws Exception {
    ProcessSubject subject = processSubject();
    NotApplicableException.unless(
        subject.stays().containsAll(Set.of(Stays.LOCK_DELAY, Stays.AT_LEAST)),
        "This store does not claim both.");
    RecordedRun.perform(
        subject,
        run -> {
          // given
          Wanted exclusive = Wanted.of(LockMode.EXCLUSIVE);
          Duration goneAndMore = run.goneAfter().plus(run.ttl());
          ChildActor child = run.child("child");
          ActorHandle here = run.steady("here");
          ActorCommand holder =
              holdAndWrite(child, run.lock(), exclusive.lockDelay(run.goneAfter()));
          FencingToken last = holder.awaitHolding();
          ActorCommand done;
          ReleaseOutcome left;
          int tries = 0;
          do {
            done = child.hold(run.otherLock(), exclusive.atLeast(goneAndMore));
            done.awaitHolding();
            left = done.release();
            // It is lost on a machine that stood still for a TTL.
          } while (left == ReleaseOutcome.LOST && ++tries < TRIES_MAX);
          assertThat(left).isEqualTo(ReleaseOutcome.STAYS);
          FencingToken lastOfOther = done.awaitHolding();
          ActorCommand next = queue(run, here);
          ActorCommand nextOfOther = here.hold(run.otherLock());
          run.awaitQueued(nextOfOther);

          // when
          child.kill();

          // then, neither of them too early, as the history shows
          assertThat(next.awaitHolding()).isGreaterThan(last);
          assertThat(nextOfOther.awaitHolding()).isGreaterThan(lastOfOther);
        });
  }

  /** Within its TTL, by a process that knows the id of its session. */
  @Test
  @Rule("HF-CRA-10")
  default void whatAKilledProcessHeldIsHeldOnByWhoResumesItsSession() throws Exception {
    ProcessSubject subject = processSubject();
    NotApplicableException.unless(
        subject.isResumable(), "This store cannot tell what a session has.");
    RecordedRun.perform(
        subject,
        run -> {
          // given
          ChildActor child = run.steadyChild("child");
          LockClient here = run.observer();
          ActorCommand holder = child.hold(run.lock());
          FencingToken last = holder.awaitHolding();
          SessionId session =
              here.find(run.lock()).flatMap(LockRecord::holder).orElseThrow().request().session();

          // when
          child.kill();
          List<Grant> resumed = here.resume(session);

          // then
          assertThat(resumed).extracting(Grant::name).containsExactly(new LockName(run.lock()));
          Grant grant = resumed.get(0);
          assertThat(grant.token()).isGreaterThan(last);
          assertThat(grant.token().number()).isEqualTo(last.number());
          grant.check();
          assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
        });
  }

  private void killWaiter(RecordedRun.Script meanwhile) throws Exception {
    RecordedRun.perform(
        processSubject(),
        run -> {
          // given
          ChildActor child = run.child("child");
          ActorHandle here = run.steady("here");
          ActorCommand holder = here.hold(run.lock());
          FencingToken last = holder.awaitHolding();
          queue(run, child);
          ActorCommand behind = queue(run, here);

          // when
          child.kill();
          meanwhile.play(run);
          holder.release();

          // then
          assertThat(behind.awaitHolding()).isGreaterThan(last);
        });
  }

  /**
   * Has an actor hold a lock and write under it; another time if it loses the lock before that, as
   * on a machine that stands still for a TTL.
   */
  private static ActorCommand holdAndWrite(ActorHandle actor, String lock, Wanted wanted) {
    for (int tries = 1; tries < TRIES_MAX; tries++) {
      ActorCommand holder = actor.hold(lock, wanted);
      if (holder.awaitWroteOrLost()) {
        return holder;
      }
      holder.release();
    }
    ActorCommand last = actor.hold(lock, wanted);
    last.awaitWrote();
    return last;
  }

  private static ActorCommand queue(RecordedRun run, ActorHandle actor) {
    ActorCommand command = actor.hold(run.lock());
    run.awaitQueued(command);
    return command;
  }
}
