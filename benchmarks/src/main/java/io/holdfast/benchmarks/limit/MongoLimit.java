package io.holdfast.benchmarks.limit;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import org.bson.Document;

/**
 * A document that is inserted and deleted, each confirmed by a majority.
 *
 * @param uri the server
 */
public record MongoLimit(String uri) implements Contender {

  @Override
  public String name() {
    return "insertOne, deleteOne";
  }

  @Override
  public Role role() {
    return Role.LIMIT;
  }

  @Override
  public String settings() {
    return "the synchronous driver, write concern majority, as many connections as threads";
  }

  @Override
  public OpenContender open(int threads) {
    MongoClient client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToConnectionPoolSettings(pool -> pool.maxSize(threads))
                .writeConcern(WriteConcern.MAJORITY)
                .retryWrites(false)
                .build());
    MongoCollection<Document> collection = client.getDatabase("limit").getCollection("limit");
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        Document key = new Document("_id", lock);
        return () -> {
          collection.insertOne(new Document("_id", lock).append("owner", "owner"));
          if (collection.deleteOne(key).getDeletedCount() != 1) {
            throw new IllegalStateException("The document is gone.");
          }
        };
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }
}
