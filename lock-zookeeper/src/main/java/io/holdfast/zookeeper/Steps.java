package io.holdfast.zookeeper;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** The flights of one verb, one after the other, each landed before its deadline or given up. */
final class Steps {

  private final Link link;
  private final Line line;
  private final Deadline deadline;
  private boolean wrote;
  private boolean changed;
  private boolean unanswered;
  private boolean broken;
  private boolean begunAgain;

  Steps(Link link, Line line, Deadline deadline) {
    this.link = link;
    this.line = line;
    this.deadline = deadline;
  }

  /** Returns a flight to put requests in. */
  Flight flight() {
    return new Flight(this);
  }

  /** Reads nodes of one moment, in a flight of their own. */
  List<OpResult> read(List<Op> reads) {
    Flight flight = flight();
    Answer<List<OpResult>> answer = flight.readAll(reads);
    flight.land();
    return answer.value().orElseThrow();
  }

  Deadline deadline() {
    return deadline;
  }

  ZooKeeper connected() {
    if (deadline.hasPassed()) {
      throw new BackendFailure(
          effect(),
          "The time for a call to %s was over before it was done.".formatted(link.name()),
          null);
    }
    try {
      return line.connected(deadline);
    } catch (BackendFailure failure) {
      if (wrote) {
        throw new BackendFailure(
            Effect.UNKNOWN,
            "%s could not be reached again before the call was done.".formatted(link.name()),
            failure);
      }
      throw failure;
    }
  }

  /** Returns whether a connection broke, and another may be had; then the verb may begin again. */
  boolean mayBeginAgain() {
    boolean may = broken && line.reconnects() && !deadline.hasPassed();
    broken = false;
    begunAgain |= may;
    return may;
  }

  /** Returns whether what is asked for now may have been done by this verb before. */
  boolean hasBegunAgain() {
    return begunAgain;
  }

  void beforeStep() {
    link.beforeStep();
  }

  void writes() {
    wrote = true;
    unanswered = true;
  }

  List<ACL> rights() {
    return link.rights();
  }

  /**
   * Returns what the verb throws if it fails so: of its flights, and of the requests of one flight,
   * some may have been done.
   */
  RuntimeException halfway(RuntimeException failure) {
    return changed || unanswered ? BackendFailure.halfway(failure) : failure;
  }

  void await(ZooKeeper client, List<Answer<?>> answers, List<Answer<?>> writes) {
    long timeNanos = deadline.remaining().toNanos();
    CompletableFuture<?> all =
        CompletableFuture.allOf(
            answers.stream().map(Answer::coming).toArray(CompletableFuture<?>[]::new));
    try {
      all.get(timeNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      line.silent(client, timeNanos);
      throw new BackendFailure(effect(), "%s has not answered in time.".formatted(link.name()), e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("No answer ends so.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          effect(), "Interrupted while waiting for %s.".formatted(link.name()), e);
    }
    unanswered = false;
    changed |= writes.stream().anyMatch(Answer::isOk);
    answers.forEach(answer -> check(client, answer.code()));
    line.answered();
  }

  private void check(ZooKeeper client, Code code) {
    if (ZookeeperErrors.isAnswer(code) || code == Code.RUNTIMEINCONSISTENCY) {
      return;
    }
    if (code == Code.SESSIONEXPIRED && line.isExpired(client)) {
      throw new SessionGone();
    }
    if (ZookeeperErrors.isLost(code)) {
      line.lost(client);
      broken = true;
    }
    throw ZookeeperErrors.failure(
        link.name(), code == Code.SESSIONEXPIRED ? Code.CONNECTIONLOSS : code, effect());
  }

  /** Returns what the verb may have done so far. */
  Effect effect() {
    return wrote ? Effect.UNKNOWN : Effect.NONE;
  }
}
