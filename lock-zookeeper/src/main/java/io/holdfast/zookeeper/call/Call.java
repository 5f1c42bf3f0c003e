package io.holdfast.zookeeper.call;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.zookeeper.connection.Connection;
import io.holdfast.zookeeper.connection.SessionOverException;
import io.holdfast.zookeeper.connection.ZookeeperErrors;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;

/**
 * One execution of a verb. It sends one pipeline after another and awaits the answers of each until
 * the verb's deadline. It also keeps track of what the verb may have changed.
 */
public final class Call {

  private final Ensemble ensemble;
  private final Connection connection;
  private final Deadline deadline;
  private boolean wrote;

  /** Something was written, or what was lost with its connection may have been. */
  private boolean mayHaveChanged;

  private boolean unanswered;
  private boolean broken;
  private boolean retried;

  Call(Ensemble ensemble, Connection connection, Deadline deadline) {
    this.ensemble = ensemble;
    this.connection = connection;
    this.deadline = deadline;
  }

  /**
   * Returns the next execution of the same verb, when the session of this one is over. A write of
   * this one may have been done although it was not answered.
   */
  Call over(Connection other) {
    Call next = new Call(ensemble, other, deadline);
    next.wrote = wrote;
    next.mayHaveChanged = mayHaveChanged;
    next.unanswered = unanswered;
    next.retried = wrote;
    return next;
  }

  /** Returns a new, empty pipeline. */
  public Pipeline pipeline() {
    return new Pipeline(this);
  }

  /** Reads several nodes in one atomic step, in a pipeline of their own. */
  public List<OpResult> read(List<Op> reads) {
    Pipeline pipeline = pipeline();
    Answer<List<OpResult>> answer = pipeline.readAll(reads);
    pipeline.awaitAnswers();
    return answer.value().orElseThrow();
  }

  public Deadline deadline() {
    return deadline;
  }

  /** Returns how long an answer may be. At a longer one the client breaks its connection. */
  public int answerBytesMax() {
    return connected()
        .getClientConfig()
        .getInt(ZKConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
  }

  ZooKeeper connected() {
    if (deadline.hasPassed()) {
      throw new BackendFailure(
          effect(),
          "The call to %s was not finished within its time.".formatted(ensemble.name()),
          null);
    }
    try {
      return connection.connected(deadline);
    } catch (BackendFailure failure) {
      if (wrote) {
        throw new BackendFailure(
            Effect.UNKNOWN,
            "%s could not be reached again before the call was done.".formatted(ensemble.name()),
            failure);
      }
      throw failure;
    }
  }

  /** Returns whether a connection broke, and another may be had; then the verb may begin again. */
  boolean mayRetry() {
    boolean may = broken && connection.reconnects() && !deadline.hasPassed();
    broken = false;
    retried |= may && wrote;
    return may;
  }

  /** Returns whether this is a retry, and an earlier try may have done the same already. */
  public boolean isRetry() {
    return retried;
  }

  void beforeStep() {
    ensemble.beforeStep();
  }

  void writes() {
    wrote = true;
    unanswered = true;
  }

  /** Returns what the servers put before each path; empty if nothing. */
  String chroot() {
    return ensemble.connections().chroot();
  }

  public List<ACL> rights() {
    return ensemble.rights();
  }

  /**
   * Returns the exception that the verb throws for a failure. Some pipelines, or some requests of
   * one pipeline, may have been done before it, or an earlier try whose answers were lost.
   */
  RuntimeException halfway(RuntimeException failure) {
    return mayHaveChanged || unanswered ? BackendFailure.halfway(failure) : failure;
  }

  void await(
      ZooKeeper client,
      CountDownLatch allAnswered,
      List<Answer<?>> answers,
      List<Answer<?>> writes) {
    long timeNanos = deadline.remaining().toNanos();
    try {
      if (!allAnswered.await(timeNanos, TimeUnit.NANOSECONDS)) {
        connection.silent(client, timeNanos);
        throw new BackendFailure(
            effect(), "%s has not answered in time.".formatted(ensemble.name()), null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          effect(), "Interrupted while waiting for %s.".formatted(ensemble.name()), e);
    }
    unanswered = false;
    for (Answer<?> write : writes) {
      mayHaveChanged |= write.isOk() || ZookeeperErrors.isLost(write.code());
    }
    for (Answer<?> answer : answers) {
      check(client, answer.code());
    }
    connection.answered();
  }

  private void check(ZooKeeper client, Code code) {
    if (ZookeeperErrors.isAnswer(code) || code == Code.RUNTIMEINCONSISTENCY) {
      return;
    }
    if (code == Code.SESSIONEXPIRED && connection.isExpired(client)) {
      throw new SessionOverException();
    }
    if (ZookeeperErrors.isLost(code)) {
      connection.lost(client);
      broken = true;
    }
    throw ZookeeperErrors.failure(
        ensemble.name(), code == Code.SESSIONEXPIRED ? Code.CONNECTIONLOSS : code, effect());
  }

  /** Returns what the verb may have changed so far. */
  public Effect effect() {
    return wrote ? Effect.UNKNOWN : Effect.NONE;
  }
}
