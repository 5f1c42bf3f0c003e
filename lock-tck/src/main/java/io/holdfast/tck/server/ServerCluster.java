package io.holdfast.tck.server;

import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Several servers, of which a majority can serve clients. Used by one thread at a time.
 *
 * @param <M> the servers
 */
public abstract class ServerCluster<M extends MemberServer> implements AutoCloseable {

  private static final Duration WITHIN = Duration.ofSeconds(60);

  private final List<M> members;

  /** Makes a cluster of servers that were not started yet. */
  protected ServerCluster(List<M> members) {
    this.members = members;
  }

  /** Starts it for the first time. */
  protected final void startFirst(Runnable makeReady) {
    try {
      makeReady.run();
      start();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void start() {
    members.forEach(MemberServer::startOnly);
    awaitReady();
  }

  /** Returns the addresses of all members for clients, with commas between them. */
  public final String addresses() {
    return members.stream().map(MemberServer::address).collect(Collectors.joining(","));
  }

  /** Returns the members. */
  public final List<M> members() {
    return members;
  }

  /**
   * Returns the member that leads, when there is one: a pause may have ended the last one's time.
   */
  public final M leader() {
    return await("a leader")
        .atMost(WITHIN)
        .until(() -> members.stream().filter(ServerCluster::leads).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  private static boolean leads(MemberServer member) {
    try {
      return member.isLeader();
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /** Returns a member that follows. */
  public final M follower() {
    M leader = leader();
    return members.stream().filter(member -> member != leader).findFirst().orElseThrow();
  }

  /** Returns when every member serves clients. */
  public final void awaitReady() {
    members.forEach(MemberServer::awaitReady);
  }

  /** Shuts all members down and starts them with their data. */
  public final void restart() {
    members.forEach(MemberServer::stop);
    start();
  }

  /** Executes a body while only the leader runs, then lets the other members continue. */
  public final void withoutQuorum(Runnable body) {
    M leader = leader();
    List<M> others = members.stream().filter(member -> member != leader).toList();
    others.forEach(MemberServer::pause);
    try {
      body.run();
    } finally {
      others.forEach(MemberServer::resume);
      awaitReady();
    }
  }

  /** Kills all members and deletes their data. */
  @Override
  public void close() {
    members.forEach(MemberServer::close);
  }
}
