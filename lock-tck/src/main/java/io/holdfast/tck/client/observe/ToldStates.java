package io.holdfast.tck.client.observe;

import io.holdfast.error.HoldfastException;
import io.holdfast.record.LockRecord;
import io.holdfast.watch.WatchListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** A listener that writes down what it is told. */
public class ToldStates implements WatchListener {

  private final List<LockRecord> states = new CopyOnWriteArrayList<>();
  private final List<String> all = new CopyOnWriteArrayList<>();

  @Override
  public void changed(LockRecord lock) {
    states.add(lock);
    all.add("changed");
  }

  @Override
  public void failed(HoldfastException problem) {
    all.add("failed");
  }

  @Override
  public void recovered() {
    all.add("recovered");
  }

  /** Returns the states that it was told. */
  public List<LockRecord> states() {
    return List.copyOf(states);
  }

  /** Returns the names of the methods that were called. */
  public List<String> all() {
    return List.copyOf(all);
  }

  /** Returns whether the last state is such. */
  public boolean lastIs(Predicate<LockRecord> such) {
    List<LockRecord> told = states();
    return !told.isEmpty() && such.test(told.get(told.size() - 1));
  }
}
