package io.holdfast.tck.process;

import io.holdfast.LockClient;
import java.util.function.Function;

/** An actor in this JVM. */
final class LocalPeer extends Peer {

  private final Actor actor;

  private LocalPeer(ActorSettings settings, Actor actor, Lines reports) {
    super(settings, reports);
    this.actor = actor;
  }

  static LocalPeer start(ActorSettings settings, Function<ClientSettings, LockClient> source) {
    Lines reports = new Lines();
    return new LocalPeer(settings, new Actor(settings, source, reports::add), reports);
  }

  @Override
  void send(String command) {
    actor.obey(command);
  }

  @Override
  void requireAlive() {}

  @Override
  void leave() throws InterruptedException {
    actor.leave();
  }

  @Override
  public void close() {
    actor.close();
  }
}
