package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.mongo.connection.Connections;
import io.holdfast.mongo.imitation.ClockedServer;
import io.holdfast.mongo.imitation.RealServerRules;
import io.holdfast.mongo.imitation.StrictProxy;
import io.holdfast.mongo.imitation.WireProxy.Fate;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A URI that names one member of a replica set, which is not the primary. */
class OneHostTest {

  private static final LockName LOCK = new LockName("orders/42");

  private final ClockedServer server = ClockedServer.start();
  private final Set<StrictProxy> asked = ConcurrentHashMap.newKeySet();
  private StrictProxy secondary;
  private StrictProxy primary;

  @BeforeEach
  void greetAsASet() throws IOException {
    secondary = StrictProxy.before(server.port());
    primary = StrictProxy.before(server.port());
    secondary.greetWith(greeting(secondary, "ismaster: false, secondary: true"));
    primary.greetWith(greeting(primary, "ismaster: true, secondary: false"));
    for (StrictProxy member : List.of(secondary, primary)) {
      member.judge(
          command -> {
            if (!RealServerRules.isGreeting(command)) {
              asked.add(member);
            }
            return new Fate.Passes();
          });
    }
  }

  private BsonDocument greeting(StrictProxy member, String role) {
    return BsonDocument.parse(
        """
        {setName: 'rs0', setVersion: 1, hosts: ['localhost:%1$d', 'localhost:%2$d'],
         me: 'localhost:%3$d', primary: 'localhost:%2$d', %4$s,
         electionId: {$oid: '7fffffff0000000000000001'}}"""
            .formatted(secondary.port(), primary.port(), member.port(), role));
  }

  @AfterEach
  void close() throws IOException {
    for (StrictProxy member : List.of(secondary, primary)) {
      member.close();
    }
    server.close();
  }

  /** Returns whether the driver keeps to the member that is named. */
  private boolean hold(String options) {
    MongoUri uri = MongoUri.of(secondary.uri("onehost") + options);
    Connections connections = uri.connections();
    try (LockBackend backend =
        MongoLockBackend.open(
            connections, MongoSettings.standard(), BackendOptions.DEFAULTS, StoreFixture.soon())) {
      SpiClient.open(backend, StoreFixture.LONG).hold(LOCK);
      return connections.verbs().isAtOneMemberOfASet();
    }
  }

  @Test
  void thePrimaryIsFoundWhereTheUriNamesTheSet() {
    assertThat(hold("?replicaSet=rs0")).isFalse();

    assertThat(asked).containsExactly(primary);
    primary.requireNoFaults();
  }

  /** As the driver does: forwarded ports, and sets in containers, are used in this way. */
  @Test
  void aMemberIsAskedItselfWhereTheUriDoesNotNameTheSet() {
    assertThat(hold("")).isTrue();

    assertThat(asked).containsExactly(secondary);
  }
}
