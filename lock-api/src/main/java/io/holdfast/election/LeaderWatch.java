package io.holdfast.election;

import io.holdfast.error.HoldfastException;
import io.holdfast.record.LockRecord;
import io.holdfast.watch.WatchListener;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tells an observer what the changes of the lock mean for the election. Confined to the threads of
 * one watch, of which one calls at a time.
 */
final class LeaderWatch implements WatchListener {

  private final Observer observer;
  private final Function<LockRecord, Optional<Leader>> leaderOf;
  private boolean hasTold;
  private Optional<Leader> told = Optional.empty();

  LeaderWatch(Observer observer, Function<LockRecord, Optional<Leader>> leaderOf) {
    this.observer = observer;
    this.leaderOf = leaderOf;
  }

  @Override
  public void changed(LockRecord lock) {
    Optional<Leader> leader = leaderOf.apply(lock);
    if (!hasTold || !leader.equals(told)) {
      hasTold = true;
      told = leader;
      observer.leads(leader);
    }
  }

  @Override
  public void failed(HoldfastException problem) {
    observer.failed(problem);
  }

  @Override
  public void recovered() {
    observer.recovered();
  }
}
