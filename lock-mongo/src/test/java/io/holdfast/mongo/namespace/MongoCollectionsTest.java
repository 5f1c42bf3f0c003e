package io.holdfast.mongo.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.MongoLocks;
import io.holdfast.mongo.MongoNames;
import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.mongo.imitation.WireProxy.Fate;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The collections, and a client of the application. */
class MongoCollectionsTest extends ImitationTestBase {

  private static int serial;

  private final String database = "collections" + ++serial;

  @AfterEach
  void forget() {
    proxy.judge(command -> new Fate.Passes());
    server.drop(database);
    proxy.requireNoFaults();
  }

  private List<BsonDocument> indexes(String collection) {
    return past.getDatabase(database)
        .getCollection(collection)
        .listIndexes(BsonDocument.class)
        .into(new ArrayList<>());
  }

  @Test
  void missingCollectionsAndTheirIndexAreMade() {
    try (LockClient client = Holdfast.connect(proxy.uri(database))) {
      client.lock("a").acquire().release();
    }

    assertThat(past.getDatabase(database).listCollectionNames())
        .contains("holdfast_locks", "holdfast_sessions", "holdfast_namespace");
    assertThat(indexes("holdfast_locks"))
        .extracting(index -> index.getDocument("key"))
        .contains(BsonDocument.parse("{since: 1}"));
  }

  @Test
  void anIndexThatWasDroppedIsMadeAgain() {
    Holdfast.connect(proxy.uri(database)).close();
    past.getDatabase(database).getCollection("holdfast_locks").dropIndexes();

    Holdfast.connect(proxy.uri(database)).close();

    assertThat(indexes("holdfast_locks"))
        .extracting(index -> index.getDocument("key"))
        .contains(BsonDocument.parse("{since: 1}"));
  }

  @Test
  void withAnotherPrefixAreOtherLocks() {
    String other = proxy.uri(database) + "?holdfastPrefix=app.locking_";
    try (LockClient one = Holdfast.connect(proxy.uri(database));
        LockClient two = Holdfast.connect(other);
        LockClient three = Holdfast.connect(other)) {
      Grant held = one.lock("a").acquire();

      assertThat(two.lock("a").tryAcquire()).isPresent();

      assertThat(three.lock("a").tryAcquire()).isEmpty();
      assertThat(held.isHeld()).isTrue();
    }
    assertThat(past.getDatabase(database).listCollectionNames()).contains("app.locking_locks");
  }

  @Test
  void aCollectionThatComparesTextInItsOwnWayIsRefused() {
    BsonDocument collections =
        BsonDocument.parse(
            "{ok: 1.0, cursor: {id: {$numberLong: '0'}, ns: 'x.$cmd.listCollections', firstBatch: [{name: 'holdfast_locks', type: 'collection', options: {collation: {locale: 'en', strength: 2}}}]}}");
    proxy.judge(
        command ->
            command.containsKey("listCollections")
                ? new Fate.AnsweredInstead(collections)
                : new Fate.Passes());

    assertThatThrownBy(() -> Holdfast.connect(proxy.uri(database)))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("collation");
  }

  /**
   * The client's own concerns, preference and codecs would lose locks. The proxy checks the
   * commands.
   */
  @Test
  void aClientOfTheApplicationIsUsedAsLocksNeedItAndLeftOpen() {
    MongoClientSettings careless =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(proxy.uri("any")))
            .writeConcern(WriteConcern.W1)
            .readPreference(ReadPreference.secondaryPreferred())
            .codecRegistry(CodecRegistries.fromProviders(new ValueCodecProvider()))
            .build();
    try (MongoClient theirs = MongoClients.create(careless);
        LockClient other = Holdfast.connect(proxy.uri(database))) {
      LockClient client =
          Holdfast.builder().connect(MongoLocks.on(theirs, new MongoNames(database)));
      Grant held = client.lock("a").acquire();
      assertThat(client.backend()).contains(database);
      assertThat(other.lock("a").tryAcquire()).isEmpty();

      client.close();

      assertThat(held.isHeld()).isFalse();
      assertThat(other.lock("a").tryAcquire()).isPresent();
      assertThatCode(() -> ping(theirs)).doesNotThrowAnyException();
    }
  }

  private static void ping(MongoClient client) {
    client
        .getDatabase("admin")
        .withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry())
        .runCommand(new BsonDocument("ping", new BsonInt32(1)));
  }
}
