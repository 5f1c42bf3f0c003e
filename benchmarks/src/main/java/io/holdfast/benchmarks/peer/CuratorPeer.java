package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Curator's mutex in ZooKeeper.
 *
 * @param address the server, as {@code HOST:PORT}
 */
record CuratorPeer(String address) implements Peer {

  @Override
  public String name() {
    return "Curator InterProcessMutex";
  }

  @Override
  public String settings() {
    return "acquire() and release(), one client and session for all threads, newClient() with its"
        + " defaults and ExponentialBackoffRetry(1000, 3)";
  }

  @Override
  public OpenContender open(int threads) {
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(address, new ExponentialBackoffRetry(1000, 3));
    client.start();
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        InterProcessMutex mutex = new InterProcessMutex(client, "/curator/" + lock);
        return () -> {
          mutex.acquire();
          mutex.release();
        };
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }
}
