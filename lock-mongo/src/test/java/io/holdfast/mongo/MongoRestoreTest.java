package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import io.holdfast.LockName;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A restored backup, and the commands that the page of MongoDB wants to be run then. */
class MongoRestoreTest extends ImitationTestBase {

  private static final Path PAGE = Path.of("..", "docs", "backends", "mongodb.md");

  private static final Pattern COMMAND =
      Pattern.compile("(?m)^db\\.(\\w+)\\.updateMany\\((\\{.*}), (\\{\\$.*)\\)$");

  private static final LockName BEFORE = new LockName("before");
  private static final LockName SINCE = new LockName("since");

  private final String name = "restored";
  private LockBackend backend;

  @BeforeEach
  void open() {
    server.remember(name);
    backend =
        MongoLockProvider.connect(
            proxy.uri(name),
            MongoSettings.standard(),
            BackendOptions.DEFAULTS,
            StoreFixture.soon());
  }

  @AfterEach
  void close() {
    backend.close();
    server.drop(name);
    proxy.requireNoFaults();
  }

  @Test
  void afterTheDocumentedStepsSessionsAreOverAndTokensRise() throws IOException {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Held before = client.hold(BEFORE);
    Map<String, List<BsonDocument>> backup = read();
    client.release(before);
    Held beforeAgain = client.hold(BEFORE);
    Held since = client.hold(SINCE);
    restore(backup);

    runDocumentedSteps();

    assertThat(client.renew()).isEqualTo(new Renewed.Over());
    SpiClient other = SpiClient.open(backend, StoreFixture.LONG);
    assertThat(other.hold(SINCE).number()).isGreaterThan(since.number());
    long number = other.inspect(BEFORE).orElseThrow().number();
    Held taken = other.overtake(new Observed(BEFORE, number, before.request().id()));
    assertThat(taken.number()).isGreaterThan(beforeAgain.number());
  }

  /** With a time, a sweep would delete it some day. */
  @Test
  void theDocumentedStepsLeaveWhatKeepsVersion1Out() throws IOException {
    BsonDocument keepsOut = BsonDocument.parse("{_id: 'version 1', ended: 'retired'}");
    database().getCollection("holdfast_sessions", BsonDocument.class).insertOne(keepsOut);

    runDocumentedSteps();

    assertThat(database().getCollection("holdfast_sessions", BsonDocument.class).find())
        .containsExactly(keepsOut);
  }

  private MongoDatabase database() {
    return past.getDatabase(name);
  }

  private Map<String, List<BsonDocument>> read() {
    Map<String, List<BsonDocument>> all = new HashMap<>();
    for (String collection : database().listCollectionNames()) {
      all.put(
          collection,
          database().getCollection(collection, BsonDocument.class).find().into(new ArrayList<>()));
    }
    return all;
  }

  private void restore(Map<String, List<BsonDocument>> backup) {
    backup.forEach(
        (collection, documents) -> {
          database().getCollection(collection).deleteMany(new BsonDocument());
          database().getCollection(collection, BsonDocument.class).insertMany(documents);
        });
  }

  private void runDocumentedSteps() throws IOException {
    String now = Long.toString(StoreClock.micros(Instant.now()));
    Matcher commands = COMMAND.matcher(Files.readString(PAGE));
    List<MatchResult> found = commands.results().toList();
    assertThat(found).hasSize(2);
    for (MatchResult command : found) {
      database()
          .getCollection(command.group(1))
          .updateMany(
              BsonDocument.parse(command.group(2)),
              BsonDocument.parse(command.group(3).replace("<NOW>", now)));
    }
  }
}
