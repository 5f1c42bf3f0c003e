package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.bson.BsonDocument;

/** A proxy that lets every command pass and remembers what a real server would have against it. */
final class StrictProxy implements AutoCloseable {

  private final WireProxy proxy;
  private final Set<String> faults = ConcurrentHashMap.newKeySet();

  private StrictProxy(WireProxy proxy) {
    this.proxy = proxy;
    judge(command -> new WireProxy.Fate.Passes());
  }

  static StrictProxy before(int server) throws IOException {
    return new StrictProxy(WireProxy.before(server));
  }

  int port() {
    return proxy.port();
  }

  String uri(String database) {
    return "mongodb://localhost:%d/%s".formatted(proxy.port(), database);
  }

  /** Decides from now on what becomes of each command, which is read all the same. */
  void judge(Function<BsonDocument, WireProxy.Fate> fates) {
    proxy.judge(
        command -> {
          faults.addAll(Severity.faults(command));
          return fates.apply(command);
        });
  }

  /** From now on the server greets as what it is not. */
  void greetWith(BsonDocument addition) {
    proxy.greetWith(addition);
  }

  /** Returns what was found since it was last asked. */
  List<String> takeFaults() {
    List<String> taken = List.copyOf(faults);
    faults.removeAll(taken);
    return taken;
  }

  void requireNoFaults() {
    assertThat(takeFaults()).as("what a real server would not take like that").isEmpty();
  }

  @Override
  public void close() throws IOException {
    proxy.close();
  }
}
