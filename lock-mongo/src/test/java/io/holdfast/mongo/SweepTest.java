package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** What a sweep leaves alone. */
class SweepTest extends InterleavedTestBase {

  SweepTest() {
    super("sweep", BackendOptions.DEFAULTS);
  }

  private void pass(Duration time) {
    server.stepClock(database, time);
  }

  private static int sweep(SpiClient client) {
    return client.backend().sweep(StoreFixture.soon());
  }

  /**
   * Who finds something to do sweeps again within a second, and there would be something always.
   */
  @Test
  void whatOthersDoMeanwhileIsNotInTheFuture() {
    SpiClient other = client();
    Held held = other.hold(LOCK);
    SpiClient client = clientUnderTest();
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(
        () -> {
          pass(Duration.ofMillis(20));
          other.renewed();
          other.release(held);
          other.hold(new LockName("taken"));
        });

    assertThat(sweep(client)).isZero();

    assertThat(meanwhile).isEmpty();
  }

  @Test
  void aDocumentThatCannotBeReadHindersNoOther() {
    SpiClient client = client();
    LockName damaged = new LockName("damaged");
    List.of(LOCK, damaged).forEach(name -> client.release(client.hold(name)));
    BsonDocument byName = BsonDocument.parse("{_id: {$regex: 'damaged'}}");
    assertThat(
            locks().updateOne(byName, BsonDocument.parse("{$set: {base: 1.0}}")).getModifiedCount())
        .isEqualTo(1);
    pass(Duration.ofHours(25));

    assertThat(sweep(client())).isPositive();

    assertThat(locks().find()).hasSize(1).allMatch(document -> document.isDouble("base"));
  }

  private MongoCollection<BsonDocument> locks() {
    return past.getDatabase(database).getCollection("holdfast_locks", BsonDocument.class);
  }
}
