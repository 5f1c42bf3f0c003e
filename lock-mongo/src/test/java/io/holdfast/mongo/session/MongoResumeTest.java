package io.holdfast.mongo.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.holdfast.LockName;
import io.holdfast.mongo.MongoLocks;
import io.holdfast.mongo.imitation.ClockedServer;
import io.holdfast.mongo.imitation.StrictProxy;
import io.holdfast.mongo.imitation.WireProxy.Fate;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/**
 * Resuming a session at a primary that was elected since the renewal, and may not show yet what
 * others have confirmed.
 */
class MongoResumeTest {

  private static final LockName LOCK = new LockName("orders/42");
  private static final String FIRST = "7fffffff0000000000000001";
  private static final String SECOND = "7fffffff0000000000000002";

  private static BsonDocument primary(int port, String election) {
    return BsonDocument.parse(
        """
        {setName: 'rs0', setVersion: 1, hosts: ['localhost:%1$d'], me: 'localhost:%1$d',
         primary: 'localhost:%1$d', ismaster: true, secondary: false,
         electionId: {$oid: '%2$s'},
         topologyVersion: {processId: {$oid: '5f0f1f2f3f4f5f6f7f8f9faf'}, counter: {$numberLong: '6'}}}"""
            .formatted(port, election));
  }

  private static boolean knows(MongoClient client, String election) {
    return client.getClusterDescription().getServerDescriptions().stream()
        .anyMatch(server -> new ObjectId(election).equals(server.getElectionId()));
  }

  private static boolean readsLocks(BsonDocument command) {
    return command.getFirstKey().equals("find")
        && command.getString("find").getValue().endsWith("_locks");
  }

  @Test
  void whatANewPrimaryShowsOfASessionIsNotTakenForAllThatItHas() throws IOException {
    try (ClockedServer server = ClockedServer.start();
        StrictProxy proxy = StrictProxy.before(server.port())) {
      proxy.greetWith(primary(proxy.port(), FIRST));
      String options = "?replicaSet=rs0&serverMonitoringMode=poll&heartbeatFrequencyMS=500";
      try (MongoClient client = MongoClients.create(proxy.uri("any") + options);
          LockBackend backend =
              MongoLocks.on(client).connect(BackendOptions.DEFAULTS, StoreFixture.soon())) {
        SpiClient orphan = SpiClient.open(backend, StoreFixture.LONG);
        Held held = orphan.hold(LOCK);
        ResumableSessions sessions = (ResumableSessions) backend;
        AtomicBoolean elected = new AtomicBoolean();
        proxy.judge(
            command -> {
              if (readsLocks(command) && !elected.getAndSet(true)) {
                proxy.greetWith(primary(proxy.port(), SECOND));
                await().atMost(Duration.ofSeconds(60)).until(() -> knows(client, SECOND));
              }
              return new Fate.Passes();
            });

        assertThatThrownBy(() -> sessions.resume(orphan.session(), StoreFixture.soon()))
            .isInstanceOf(BackendFailure.class)
            .hasMessageContaining("primary");

        Resumed resumed = sessions.resume(orphan.session(), StoreFixture.soon()).orElseThrow();
        assertThat(resumed.requests()).containsExactly(held.request().key());
      }
      proxy.requireNoFaults();
    }
  }
}
