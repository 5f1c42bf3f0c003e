package io.holdfast.tck.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * All orders in which the steps of two calls can be done, one after the other: from each run it is
 * known where the other call could have gone on instead, and the next run does so at the last such
 * place.
 */
final class Schedules {

  private static final int RUNS_MAX = 400;

  private final List<Boolean> wanted = new ArrayList<>();
  private final List<Boolean> firstWent = new ArrayList<>();
  private final List<Boolean> eitherCould = new ArrayList<>();

  /** What is done once in each order; is given the order and returns after both calls. */
  interface Run {
    /** Does the two calls as the schedules say, and checks what came of it. */
    void play(Schedules order, int run);
  }

  /** Plays every order, as far as there are not too many. */
  static void forEach(Run run) {
    Schedules order = new Schedules();
    int runs = 0;
    do {
      order.firstWent.clear();
      order.eitherCould.clear();
      run.play(order, runs++);
    } while (runs < RUNS_MAX && order.advance());
  }

  /** Does both calls, step by step in the order of this run. */
  void play(StepByStep first, Runnable firstCall, StepByStep second, Runnable secondCall) {
    Callable<Boolean> conductor =
        () -> {
          first.awaitArrival();
          second.awaitArrival();
          while (first.canGo() || second.canGo()) {
            boolean either = first.canGo() && second.canGo();
            int step = firstWent.size();
            boolean isWanted = either && step < wanted.size();
            boolean firstGoes = isWanted ? wanted.get(step) : first.canGo();
            firstWent.add(firstGoes);
            eitherCould.add(either);
            (firstGoes ? first : second).go();
          }
          return true;
        };
    Together.call(List.of(first.heldUp(firstCall), second.heldUp(secondCall), conductor));
  }

  private boolean advance() {
    for (int step = firstWent.size() - 1; step >= 0; step--) {
      if (eitherCould.get(step) && firstWent.get(step)) {
        List<Boolean> prefix = new ArrayList<>(firstWent.subList(0, step));
        prefix.add(false);
        wanted.clear();
        wanted.addAll(prefix);
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    StringBuilder order = new StringBuilder();
    firstWent.forEach(first -> order.append(first ? '1' : '2'));
    return order.toString();
  }
}
