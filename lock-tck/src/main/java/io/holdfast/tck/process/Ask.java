package io.holdfast.tck.process;

import io.holdfast.FencingToken;
import io.holdfast.ReleaseOutcome;
import io.holdfast.tck.history.RequestTag;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/** What an actor was asked to do under one id, and what it reports of it. */
record Ask(Peer peer, String id) {

  /** Waits until it is about to ask for the lock, and returns the request. */
  RequestTag awaitRequest() {
    return RequestTag.parse(await("waiting"));
  }

  FencingToken awaitHolding() {
    return new FencingToken(Long.parseLong(await("holding")));
  }

  /** Waits until the lock's register has taken a write. */
  void awaitWrote() {
    await("wrote");
  }

  /** Waits until its check has said that the grant is lost. */
  void awaitLost() {
    await("lost");
  }

  boolean hasLost() {
    return peer.hasReported(id, "lost");
  }

  /** Waits until one of several holds, and returns which. */
  static Ask awaitAnyHolding(List<Ask> asked) {
    return Awaitility.await("any of %s to hold".formatted(asked))
        .atMost(asked.get(0).peer.patience())
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> asked.stream().filter(Ask::isHolding).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  boolean isHolding() {
    return peer.hasReported(id, "holding");
  }

  /** Lets it give the lock back. */
  ReleaseOutcome release() {
    peer.send("release " + id);
    return ReleaseOutcome.valueOf(await("released"));
  }

  /** Closes its client, whether it holds or waits. */
  void closeClient() {
    peer.send("close " + id);
  }

  /** Waits until it has given up waiting. */
  void awaitGone() {
    await("gone");
  }

  /** Waits until the clients of a workload are connected. */
  void awaitBegun() {
    await("begun");
  }

  /** Waits for the end of a workload that was to last for a time. */
  void awaitWorked(Duration duration) {
    // Besides the work itself, twice: once for workers that come back by themselves, and once for
    // those that only do so when their client is closed.
    await("worked", duration.plus(peer.patience().multipliedBy(2)));
  }

  private String await(String report) {
    return await(report, peer.patience());
  }

  private String await(String report, Duration most) {
    return peer.await(id, report, most);
  }
}
