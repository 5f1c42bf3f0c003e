package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A test class with a Redis server of its own, and each of its tests with keys of its own. */
@Tag("server")
public abstract class RedisServerTestBase {

  public static RedisServer server;
  public RedisNamespace namespace;

  @BeforeAll
  static void startServer() {
    server = RedisServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void makeNamespace() {
    namespace = RedisNamespace.on(server);
  }

  @AfterEach
  void closeNamespace() {
    namespace.close();
  }

  protected static LockBackend connect(String uri) {
    return new RedisLockProvider().connect(uri, BackendOptions.DEFAULTS, RedisNamespace.soon());
  }

  protected LockBackend backend() {
    return namespace.backendOfOldServer();
  }
}
