package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A test class with a Redis server of its own, and each of its tests with keys of its own. */
@Tag("server")
abstract class OnRedis {

  static RedisServer server;
  RedisNamespace namespace;

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

  static LockBackend connect(String uri) {
    return new RedisLockProvider().connect(uri, BackendOptions.DEFAULTS, RedisNamespace.soon());
  }

  LockBackend backend() {
    return namespace.backendOfOldServer(RedisSettings.standard(), BackendOptions.DEFAULTS);
  }
}
