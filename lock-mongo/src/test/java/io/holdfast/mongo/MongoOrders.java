package io.holdfast.mongo;

import com.mongodb.ConnectionString;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.Sequencer;
import io.holdfast.tck.process.client.FencedResource;
import java.time.Duration;
import java.util.ArrayList;
import org.bson.Document;

/** An application's collection beside those of its locks. Has the example of docs/fencing.md. */
final class MongoOrders implements FencedResource {

  private final String uri;
  private final MongoClient client;
  private final MongoCollection<Document> orders;
  private final MongoFencing fencing = new MongoFencing();

  MongoOrders(String uri) {
    this.uri = uri;
    this.client = MongoClients.create(uri);
    this.orders =
        client
            .getDatabase(String.valueOf(new ConnectionString(uri).getDatabase()))
            .getCollection("orders")
            .withWriteConcern(WriteConcern.MAJORITY);
  }

  /** Inserts an order that nobody has written yet. */
  static MongoOrders make(String uri) {
    MongoOrders made = new MongoOrders(uri);
    made.orders.insertOne(new Document("_id", 42).append("state", "new"));
    return made;
  }

  /** Writes for whoever shows a sequencer. */
  void write(Sequencer sequencer, String state) {
    fencing.updateOne(
        orders,
        sequencer, // throws StaleTokenException if it is stale
        Filters.eq("_id", 42),
        Updates.set("state", state));
  }

  @Override
  public String read() {
    return String.valueOf(order().get("state"));
  }

  Document order() {
    return orders.find(Filters.eq("_id", 42)).into(new ArrayList<Document>()).get(0);
  }

  MongoCollection<Document> orders() {
    return orders;
  }

  @Override
  public LockClient locks(Duration ttl) {
    return Holdfast.builder().defaultTtl(ttl).connect(uri);
  }

  @Override
  public Writer writer(Grant grant) {
    return state -> write(grant.sequencer(), state);
  }

  @Override
  public void close() {
    client.close();
  }
}
