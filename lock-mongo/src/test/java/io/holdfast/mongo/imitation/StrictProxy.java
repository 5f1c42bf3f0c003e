package io.holdfast.mongo.imitation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.bson.BsonDocument;

/** A proxy that passes every command on, and records what a real server would refuse in it. */
public final class StrictProxy implements AutoCloseable {

  private final WireProxy proxy;
  private final Set<String> faults = ConcurrentHashMap.newKeySet();

  private StrictProxy(WireProxy proxy) {
    this.proxy = proxy;
    judge(command -> new WireProxy.Fate.Passes());
  }

  public static StrictProxy before(int server) throws IOException {
    return new StrictProxy(WireProxy.before(server));
  }

  public int port() {
    return proxy.port();
  }

  public String uri(String database) {
    return "mongodb://localhost:%d/%s".formatted(proxy.port(), database);
  }

  /** Sets the function that decides what happens to each command. Commands are still checked. */
  public void judge(Function<BsonDocument, WireProxy.Fate> fates) {
    proxy.judge(
        command -> {
          faults.addAll(RealServerRules.faults(command));
          return fates.apply(command);
        });
  }

  /** Adds fields to the server's greeting, to imitate another kind of server. */
  public void greetWith(BsonDocument addition) {
    proxy.greetWith(addition);
  }

  /** Returns the faults found since the last call. */
  List<String> takeFaults() {
    List<String> taken = List.copyOf(faults);
    faults.removeAll(taken);
    return taken;
  }

  public void requireNoFaults() {
    assertThat(takeFaults())
        .as("commands that a real server would refuse or interpret differently")
        .isEmpty();
  }

  @Override
  public void close() throws IOException {
    proxy.close();
  }
}
