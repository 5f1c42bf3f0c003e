package io.holdfast.benchmarks.peer;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;

/**
 * ShedLock in MongoDB.
 *
 * @param uri the server
 */
record ShedLockMongoPeer(String uri) implements Peer {

  @Override
  public String name() {
    return "ShedLock MongoDB";
  }

  @Override
  public boolean waitsForLocks() {
    return false;
  }

  @Override
  public String settings() {
    return ShedLockPair.SETTINGS
        + ", MongoLockProvider, one client for all threads with the driver's defaults (up to 100"
        + " connections)";
  }

  @Override
  public OpenContender open(int threads) {
    MongoClient client = MongoClients.create(uri);
    LockProvider provider = new MongoLockProvider(client.getDatabase("shedlock"));
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        return new ShedLockPair(provider, lock);
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }
}
