package io.holdfast.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Makes connections to the servers of a URI.
 *
 * @param name how they are called in messages
 */
record Dialer(ZookeeperUri uri, String name) {

  /** Begins to connect, on with a session or with a new one. */
  CompletableFuture<Handle> dial(int timeoutMillis, Optional<Handle.Identity> identity) {
    Handle.Dial dial = new Handle.Dial(uri.servers(), timeoutMillis);
    ZKClientConfig config = uri.clientConfig();
    CompletableFuture<Handle> made = new CompletableFuture<>();
    // The library names its threads after the one that makes it.
    Threads.start("client", () -> make(dial, identity, config, made));
    return made;
  }

  private void make(
      Handle.Dial dial,
      Optional<Handle.Identity> identity,
      ZKClientConfig config,
      CompletableFuture<Handle> made) {
    try {
      Handle handle =
          identity.isPresent()
              ? Handle.resume(dial, identity.get(), config)
              : Handle.begin(dial, config);
      uri.login()
          .ifPresent(login -> handle.addAuthInfo("digest", login.getBytes(StandardCharsets.UTF_8)));
      made.complete(handle);
    } catch (IOException | RuntimeException e) {
      made.completeExceptionally(e);
    }
  }
}
