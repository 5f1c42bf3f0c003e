package io.holdfast.redis.connection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.RedisServerTestBase;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

/** jedis connects again by itself what was closed. */
class ConnectionSubscriptionTest extends RedisServerTestBase {

  private static final Duration LONG = Duration.ofSeconds(60);

  private final RedisClient.Subscription subscription =
      new ConnectionSubscription(
          "server", this::closedBeforeItIsAsked, new Reader(), "hints".getBytes(UTF_8));

  private static final class Reader extends BinaryJedisPubSub {}

  private Connection closedBeforeItIsAsked() {
    return new Connection(new HostAndPort("127.0.0.1", server.port())) {
      @Override
      public boolean ping() {
        subscription.close();
        return super.ping();
      }
    };
  }

  @Test
  void oneThatIsClosedWhileItIsMadeDoesNotBeginAgain() throws Exception {
    CompletableFuture<Void> run =
        CompletableFuture.runAsync(() -> subscription.run()).exceptionally(e -> null);

    run.get(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(server.command("PUBSUB", "CHANNELS")).isEmpty();
  }
}
