package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.mongo.imitation.ClockedServer;
import io.holdfast.mongo.imitation.StrictProxy;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Ended;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One primary that its clients know by different addresses: behind split-horizon DNS, a forwarded
 * port, or a tunnel.
 */
class AddressesTest {

  private static final LockName LOCK = new LockName("orders/42");
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  private final ClockedServer server = ClockedServer.start();
  private StrictProxy inside;
  private StrictProxy outside;
  private LockBackend one;
  private LockBackend other;

  @BeforeEach
  void connect() throws IOException {
    inside = asPrimary();
    outside = asPrimary();
    one = backend(inside);
    other = backend(outside);
  }

  private StrictProxy asPrimary() throws IOException {
    StrictProxy proxy = StrictProxy.before(server.port());
    proxy.greetWith(
        BsonDocument.parse(
            """
            {setName: 'rs0', setVersion: 1, hosts: ['localhost:%1$d'], me: 'localhost:%1$d',
             primary: 'localhost:%1$d', ismaster: true, secondary: false,
             electionId: {$oid: '7fffffff0000000000000001'},
             topologyVersion: {processId: {$oid: '5f0f1f2f3f4f5f6f7f8f9faf'}, counter: {$numberLong: '6'}}}"""
                .formatted(proxy.port())));
    return proxy;
  }

  private static LockBackend backend(StrictProxy proxy) {
    return MongoLockProvider.connect(
        proxy.uri("addresses") + "?replicaSet=rs0&serverMonitoringMode=poll",
        MongoSettings.standard(),
        BackendOptions.DEFAULTS,
        StoreFixture.soon());
  }

  @AfterEach
  void close() throws IOException {
    one.close();
    other.close();
    for (StrictProxy proxy : List.of(inside, outside)) {
      proxy.requireNoFaults();
      proxy.close();
    }
    server.close();
  }

  /**
   * If the address were part of the incarnation, each client would find the session last renewed by
   * another clock, and start another wait.
   */
  @Test
  void observersWhoKnowThePrimaryByDifferentAddressesAgreeThatASessionHasLapsed() {
    SpiClient dead = SpiClient.open(one, StoreFixture.SHORT);
    Held held = dead.hold(LOCK);
    SpiClient near = SpiClient.open(one, StoreFixture.LONG);
    SpiClient far = SpiClient.open(other, StoreFixture.LONG);
    Request waits = far.queue(LOCK);

    await()
        .atMost(MAX_WAIT)
        .until(
            () ->
                Stream.of(near, far)
                    .map(
                        client ->
                            client.backend().end(dead.session(), EndIf.LAPSED, StoreFixture.soon()))
                    .toList() // Both have to judge, whatever the first one says.
                    .contains(Ended.OVER));

    far.overtake(waits, held.observed());
    assertThat(far.holding(waits).number()).isGreaterThan(held.number());
  }
}
