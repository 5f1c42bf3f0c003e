package io.holdfast.tck.stress;

import io.holdfast.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Many clients at the same time.
 *
 * @param clients how many
 * @param names the locks that they take
 * @param shared how many of the requests are shared, of one
 * @param staying what of that which is given back, or died with, stays taken for a while
 * @param grants after how many grants they stop, if half as many requests have waited; before that
 *     if anything is found
 * @param maxWait how long a request may wait before it counts as stranded
 * @param numbers which numbers those have who share a lock
 */
public record StressRun(
    int clients,
    List<String> names,
    double shared,
    Staying staying,
    long grants,
    Duration maxWait,
    RunNumbers numbers) {

  /** Copies the list. */
  public StressRun {
    names = List.copyOf(names);
  }

  /** Those who hold a lock together have one number. */
  public StressRun(
      int clients,
      List<String> names,
      double shared,
      Staying staying,
      long grants,
      Duration maxWait) {
    this(clients, names, shared, staying, grants, maxWait, RunNumbers.ONE_FOR_ALL);
  }

  /** Runs, and returns the judge with what it has found. */
  public GrantJudge on(LockBackend backend) throws InterruptedException, ExecutionException {
    return on(backend, List.of());
  }

  /**
   * Runs, and returns the judge with what it has found.
   *
   * @param disturbances what happens all the time meanwhile
   */
  public GrantJudge on(LockBackend backend, List<Consumer<GrantJudge>> disturbances)
      throws InterruptedException, ExecutionException {
    return on(() -> backend, disturbances);
  }

  /**
   * Runs, and returns the judge with what it has found.
   *
   * @param backends gives each client the backend that it uses
   * @param disturbances what happens all the time meanwhile
   */
  public GrantJudge on(Supplier<LockBackend> backends, List<Consumer<GrantJudge>> disturbances)
      throws InterruptedException, ExecutionException {
    GrantJudge judge = new GrantJudge(numbers);
    List<StressedClient> crew = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      crew.add(new StressedClient(backends.get(), judge, names, shared, staying, i, maxWait));
    }
    List<Runnable> players = new ArrayList<>();
    crew.forEach(client -> players.add(client::act));
    disturbances.forEach(disturbance -> players.add(() -> disturbance.accept(judge)));
    ExecutorService threads = Executors.newFixedThreadPool(players.size());
    try {
      List<Future<?>> playing = new ArrayList<>();
      for (Runnable player : players) {
        playing.add(threads.submit(() -> goOn(player, judge)));
      }
      for (Future<?> player : playing) {
        player.get();
      }
    } finally {
      threads.shutdownNow();
    }
    if (judge.found().isEmpty()) {
      crew.forEach(StressedClient::close);
    }
    return judge;
  }

  private void goOn(Runnable player, GrantJudge judge) {
    while (!isEnough(judge) && judge.found().isEmpty()) {
      player.run();
    }
  }

  /** On a store that is fast, most requests find a lock free, and nothing is shown by that. */
  private boolean isEnough(GrantJudge judge) {
    return judge.grants() >= grants
        && (judge.waited() >= grants / 2 || judge.grants() >= 100 * grants);
  }
}
