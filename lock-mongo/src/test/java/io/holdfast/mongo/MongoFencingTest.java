package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.error.BadRequestException;
import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.tck.adapter.FencingMarkRules;
import io.holdfast.tck.adapter.PausedWriterRules;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.report.Adapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Updates of an application that a stale holder cannot make, at an imitation of a server. */
@Adapter("mongodb-imitation")
class MongoFencingTest extends ImitationTestBase implements FencingMarkRules, PausedWriterRules {

  private static final Sequencer HOLDER =
      new Sequencer(new LockName("a"), LockMode.EXCLUSIVE, new FencingToken(7));

  private static int serial;

  private final String database = "fencing" + ++serial;
  private MongoOrders orders;

  @BeforeEach
  void makeOrders() {
    server.remember(database);
    orders = MongoOrders.make(place());
  }

  @AfterEach
  void close() {
    orders.close();
    server.drop(database);
  }

  @Override
  public void write(Sequencer sequencer, String value) {
    orders.write(sequencer, value);
  }

  @Override
  public String read() {
    return orders.read();
  }

  @Override
  public Class<? extends FencedResource> resource() {
    return MongoOrders.class;
  }

  @Override
  public String place() {
    return "mongodb://localhost:%d/%s".formatted(server.port(), database);
  }

  @Test
  void aDocumentThatIsNotThereIsNoStaleToken() {
    assertThat(
            new MongoFencing()
                .updateOne(
                    orders.orders(), HOLDER, Filters.eq("_id", 43), Updates.set("state", "x"))
                .getMatchedCount())
        .isZero();
  }

  @Test
  void tokensAreInTheFieldThatWasNamed() {
    new MongoFencing("marks")
        .updateOne(orders.orders(), HOLDER, Filters.eq("_id", 42), Updates.set("state", "x"));

    assertThat(orders.order().get("marks")).hasToString("Document{{exclusive=7}}");
    assertThatThrownBy(() -> new MongoFencing("a.b")).isInstanceOf(BadRequestException.class);
  }

  @Test
  void aWriteThatNobodyAcknowledgesIsRefused() {
    assertThatThrownBy(
            () ->
                new MongoFencing()
                    .updateOne(
                        orders.orders().withWriteConcern(WriteConcern.UNACKNOWLEDGED),
                        HOLDER,
                        Filters.eq("_id", 42),
                        Updates.set("state", "x")))
        .isInstanceOf(BadRequestException.class);
  }
}
