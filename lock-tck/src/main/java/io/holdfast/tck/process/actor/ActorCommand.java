package io.holdfast.tck.process.actor;

import io.holdfast.FencingToken;
import io.holdfast.ReleaseOutcome;
import io.holdfast.tck.history.RequestTag;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A command that an actor was given under one id, and the reports of the actor on it. */
public record ActorCommand(ActorHandle actor, String id) {

  /** Waits until it is about to ask for the lock, and returns the request. */
  public RequestTag awaitRequest() {
    return RequestTag.parse(await("waiting"));
  }

  public FencingToken awaitHolding() {
    return new FencingToken(Long.parseLong(await("holding")));
  }

  /** Waits until the lock's register has taken a write. */
  public void awaitWrote() {
    await("wrote");
  }

  /**
   * Waits until the lock's register has taken a write, and returns true; or until the grant is
   * lost, and returns false.
   */
  public boolean awaitWroteOrLost() {
    actor.awaitAny(List.of(id + " wrote", id + " lost"), id, actor.maxWait());
    return actor.hasReported(id, "wrote");
  }

  /** Waits until its check has said that the grant is lost. */
  public void awaitLost() {
    await("lost");
  }

  public boolean hasLost() {
    return actor.hasReported(id, "lost");
  }

  /** Waits until one of several holds, and returns which. */
  public static ActorCommand awaitAnyHolding(List<ActorCommand> commands) {
    return Awaitility.await("any of %s to hold".formatted(commands))
        .atMost(commands.get(0).actor.maxWait())
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> commands.stream().filter(ActorCommand::isHolding).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  public boolean isHolding() {
    return actor.hasReported(id, "holding");
  }

  /** Lets it give the lock back. */
  public ReleaseOutcome release() {
    actor.send("release " + id);
    return ReleaseOutcome.valueOf(await("released"));
  }

  /** Closes its client, whether it holds or waits. */
  public void closeClient() {
    actor.send("close " + id);
  }

  /** Waits until it has given up waiting. */
  public void awaitGone() {
    await("gone");
  }

  /** Waits until the clients of a workload are connected. */
  public void awaitBegun() {
    await("begun");
  }

  /** Waits for the end of a workload that was to last for a time. */
  public void awaitWorked(Duration duration) {
    // Besides the work itself, twice: once for workers that come back by themselves, and once for
    // those that only do so when their client is closed.
    await("worked", duration.plus(actor.maxWait().multipliedBy(2)));
  }

  private String await(String report) {
    return await(report, actor.maxWait());
  }

  private String await(String report, Duration limit) {
    return actor.await(id, report, limit);
  }
}
