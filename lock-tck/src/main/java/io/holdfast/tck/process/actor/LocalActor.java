package io.holdfast.tck.process.actor;

import io.holdfast.LockClient;
import io.holdfast.tck.process.client.ClientSettings;
import java.util.function.Function;

/** An actor in this JVM. */
public final class LocalActor extends ActorHandle {

  private final Actor actor;

  private LocalActor(ActorSettings settings, Actor actor, ActorReports reports) {
    super(settings, reports);
    this.actor = actor;
  }

  public static LocalActor start(
      ActorSettings settings, Function<ClientSettings, LockClient> source) {
    ActorReports reports = new ActorReports();
    return new LocalActor(settings, new Actor(settings, source, reports::add), reports);
  }

  @Override
  void send(String command) {
    actor.obey(command);
  }

  @Override
  void requireAlive() {}

  @Override
  public void leave() throws InterruptedException {
    actor.leave();
  }

  @Override
  public void close() {
    actor.close();
  }
}
