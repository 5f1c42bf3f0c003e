package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.imitation.ClockedServer;
import io.holdfast.mongo.namespace.Namespace;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.format.Placeholder;
import io.holdfast.tck.format.StoredFormatTck;
import io.holdfast.tck.format.StoredRecord;
import io.holdfast.tck.format.StoredState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The stored format in MongoDB, as read from the imitation of a server. */
class MongoFormatTest extends StoredFormatTck {

  private static ClockedServer server;

  MongoFormatTest() {
    super("mongodb", Namespace.PROTOCOL);
  }

  @BeforeAll
  static void startServer() {
    server = ClockedServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected StoredState openState() {
    MongoState state = new MongoState();
    state.clear();
    return state;
  }

  /** Else each of its documents would be taken for a damaged one, which is to be deleted. */
  @Test
  void aVersionThatIsRefusedIsNotTakenForDamaged() throws Exception {
    try (MongoState state = new MongoState()) {
      state.clear();
      state.insert(
          "holdfast_namespace",
          "{_id: 'namespace', floor: NumberLong(0), maxClockStep: NumberLong(1500000), maxTtl: NumberLong(90000000), partitions: NumberLong(1), protocol: NumberLong(1)}");
      state.insert(
          "holdfast_locks",
          "{_id: 'a', base: NumberLong('1763000000000000'), n: NumberLong(1), since: ISODate('2026-01-01T12:00:00Z'), queue: [{req: '0123456789abcdef0123456789abcdef-3', mode: 'x', process: 'host:1', why: '', payload: BinData(0, '')}]}");

      assertThatThrownBy(
              () -> {
                try (LockBackend backend = state.connect(BackendOptions.DEFAULTS)) {
                  backend.inspect(new LockName("a"), StoreFixture.soon());
                }
              })
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("protocol version 1");
    }
  }

  /** All documents of a database. A value is its extended JSON. */
  private static final class MongoState implements StoredState {

    private static final String MICROS = "\"\\$numberLong\": \"([1-9][0-9]{15})\"";
    private static final String MILLIS = "\"\\$numberLong\": \"([1-9][0-9]{12})\"";
    private static final JsonWriterSettings TYPED =
        JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private final String uri = "mongodb://localhost:%d".formatted(server.port());
    private final MongoClient client = MongoClients.create(uri);

    @Override
    public LockBackend connect(BackendOptions options) {
      return new MongoLockProvider().connect(uri + "/golden", options, StoreFixture.soon());
    }

    @Override
    public Optional<Retirement> retire() {
      return Optional.of(new MongoLockProvider().retire(uri + "/golden", StoreFixture.soon()));
    }

    @Override
    public void lapseSessions() {
      database()
          .getCollection("holdfast_sessions")
          .updateMany(
              BsonDocument.parse("{}"),
              BsonDocument.parse("{$set: {renewed: ISODate('2020-01-01T00:00:00Z')}}"));
    }

    @Override
    public boolean openAsOlderClient(int version) {
      FormerClient former = new FormerClient(database(), SessionId.fresh().value());
      return former.open(StoreFixture.LONG.toMillis()) && former.grab("raced");
    }

    void insert(String collection, String document) {
      database()
          .getCollection(collection, BsonDocument.class)
          .insertOne(BsonDocument.parse(document));
    }

    private MongoDatabase database() {
      return client.getDatabase("golden");
    }

    @Override
    public List<StoredRecord> read() {
      List<StoredRecord> records = new ArrayList<>();
      for (String collection : database().listCollectionNames()) {
        for (BsonDocument document :
            database().getCollection(collection, BsonDocument.class).find()) {
          records.add(record(collection, document));
        }
      }
      records.sort(Comparator.comparing(StoredRecord::place));
      return records;
    }

    private static StoredRecord record(String collection, BsonDocument document) {
      StoredRecord stored =
          StoredRecord.at(collection + " " + document.getString("_id").getValue());
      for (String field : document.keySet().stream().sorted().toList()) {
        String json = new BsonDocument(field, document.get(field)).toJson(TYPED);
        stored = stored.with(field, json.substring(json.indexOf(':') + 2, json.length() - 1));
      }
      return stored;
    }

    @Override
    public List<Placeholder> placeholders() {
      return List.of(
          Placeholder.of("number", "holdfast_locks .*", "base", MICROS),
          Placeholder.of("time", "holdfast_locks .*", "since|stays|judged", MILLIS),
          Placeholder.of("time", "holdfast_sessions .*", "renewed|revoked|judged", MILLIS));
    }

    @Override
    public void clear() {
      database().drop();
    }

    @Override
    public void write(List<StoredRecord> records, Map<String, String> values) {
      for (StoredRecord stored : records) {
        BsonDocument document = new BsonDocument();
        for (String field : stored.fields().keySet()) {
          String json = "{\"%s\": %s}".formatted(field, stored.text(field, values));
          document.putAll(BsonDocument.parse(json));
        }
        String place = stored.placeText();
        database()
            .getCollection(place.substring(0, place.indexOf(' ')), BsonDocument.class)
            .insertOne(document);
      }
    }

    /** The base plus the count of changes of the head. A release counts too. */
    @Override
    public long number(LockName name) {
      for (BsonDocument lock :
          database().getCollection("holdfast_locks", BsonDocument.class).find()) {
        if (lock.getString("_id").getValue().equals(encoded(name))) {
          long number = lock.getInt64("base").getValue() + lock.getInt64("n").getValue();
          return lock.getArray("queue").isEmpty() ? number - 1 : number;
        }
      }
      return 0;
    }

    /** Bytes that are not ASCII, and the tilde, as {@code ~xx}. */
    private static String encoded(LockName name) {
      StringBuilder encoded = new StringBuilder();
      for (byte b : name.bytes()) {
        encoded.append(b < 0 || b == '~' ? "~%02x".formatted(b & 0xff) : (char) b);
      }
      return encoded.toString();
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
