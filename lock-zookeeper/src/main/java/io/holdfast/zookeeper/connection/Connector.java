package io.holdfast.zookeeper.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.client.ZKClientConfig;

/** Makes connections to the servers of a URI. Thread-safe. */
public final class Connector {

  private final ZookeeperUri uri;
  private final String name;
  private final Servers servers;

  /**
   * Takes the servers.
   *
   * @param name how they are called in messages
   */
  public Connector(ZookeeperUri uri, String name) {
    this.uri = uri;
    this.name = name;
    this.servers = new Servers(uri.servers());
  }

  String name() {
    return name;
  }

  /** Returns a rotation of the servers, for all clients of one connection. */
  ServerRotation rotation() {
    return new ServerRotation(servers);
  }

  /** Begins to connect, in a given session or in a new one. */
  CompletableFuture<SingleConnectionClient> connect(
      ServerRotation rotation, int timeoutMillis, Optional<SessionIdentity> identity) {
    SingleConnectionClient.Target target =
        new SingleConnectionClient.Target(uri.servers(), rotation, timeoutMillis);
    CompletableFuture<SingleConnectionClient> made = new CompletableFuture<>();
    // The library names its threads after the thread that makes the client.
    Threads.start("client", () -> make(target, identity, made));
    return made;
  }

  private void make(
      SingleConnectionClient.Target target,
      Optional<SessionIdentity> identity,
      CompletableFuture<SingleConnectionClient> made) {
    try {
      ZKClientConfig config = uri.clientConfig();
      SingleConnectionClient client =
          identity.isPresent()
              ? SingleConnectionClient.resumeSession(target, identity.get(), config)
              : SingleConnectionClient.openSession(target, config);
      uri.login()
          .ifPresent(login -> client.addAuthInfo("digest", login.getBytes(StandardCharsets.UTF_8)));
      made.complete(client);
    } catch (IOException | RuntimeException | Error e) {
      // Errors too, such as that there are no more threads: every later call waits for a future
      // that is never completed.
      made.completeExceptionally(e);
    }
  }
}
