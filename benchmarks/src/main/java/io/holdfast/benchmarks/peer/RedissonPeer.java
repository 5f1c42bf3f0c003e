package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * A lock of Redisson, taken without a lease time, so that its watchdog keeps it.
 *
 * @param address the server, as {@code redis://HOST:PORT}
 * @param kind which of its locks
 */
record RedissonPeer(String address, Kind kind) implements Peer {

  /** The locks of Redisson that exclude others. */
  enum Kind {
    /** Not fair, no token. */
    LOCK("Redisson RLock", "getLock(), lock() and unlock()") {
      @Override
      LockPair pair(RedissonClient client, String name) {
        RLock lock = client.getLock(name);
        return () -> JavaLock.takeAndGiveBack(lock);
      }
    },
    /** Not fair, with a token. */
    FENCED("Redisson RFencedLock", "getFencedLock(), lockAndGetToken() and unlock()") {
      @Override
      LockPair pair(RedissonClient client, String name) {
        RFencedLock lock = client.getFencedLock(name);
        return () -> {
          lock.lockAndGetToken();
          lock.unlock();
        };
      }
    },
    /** In the order of the requests, no token. */
    FAIR("Redisson RFairLock", "getFairLock(), lock() and unlock()") {
      @Override
      LockPair pair(RedissonClient client, String name) {
        RLock lock = client.getFairLock(name);
        return () -> JavaLock.takeAndGiveBack(lock);
      }
    };

    private final String label;
    private final String calls;

    Kind(String label, String calls) {
      this.label = label;
      this.calls = calls;
    }

    abstract LockPair pair(RedissonClient client, String name);
  }

  @Override
  public String name() {
    return kind.label;
  }

  @Override
  public String settings() {
    return kind.calls
        + ", watchdog of 30 s, one client for all threads, useSingleServer() with its defaults (24"
        + " to 64 connections)";
  }

  @Override
  public OpenContender open(int threads) {
    Config config = new Config();
    config.useSingleServer().setAddress(address);
    RedissonClient client = Redisson.create(config);
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        // Kinds store different things, so they must not share names.
        return kind.pair(client, "redisson:" + kind + ":" + lock);
      }

      @Override
      public void close() {
        client.shutdown();
      }
    };
  }
}
