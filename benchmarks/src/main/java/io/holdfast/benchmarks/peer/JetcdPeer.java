package io.holdfast.benchmarks.peer;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import java.nio.charset.StandardCharsets;

/**
 * The lock of etcd's own lock service, through jetcd.
 *
 * @param address the server, as {@code HOST:PORT}
 */
record JetcdPeer(String address) implements Peer {

  private static final long LEASE_SECONDS = 15;

  @Override
  public String name() {
    return "jetcd Lock";
  }

  @Override
  public String settings() {
    return "lock() and unlock(), one client for all threads, one lease of %d s for all locks, kept"
            .formatted(LEASE_SECONDS)
        + " alive";
  }

  @Override
  public OpenContender open(int threads) throws Exception {
    Client client = Client.builder().endpoints("http://" + address).build();
    long lease = client.getLeaseClient().grant(LEASE_SECONDS).get().getID();
    CloseableClient alive = client.getLeaseClient().keepAlive(lease, Observers.observer(r -> {}));
    Lock locks = client.getLockClient();
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        ByteSequence name = ByteSequence.from("jetcd/" + lock, StandardCharsets.UTF_8);
        return () -> {
          ByteSequence key = locks.lock(name, lease).get().getKey();
          locks.unlock(key).get();
        };
      }

      @Override
      public void close() throws Exception {
        alive.close();
        client.getLeaseClient().revoke(lease).get();
        client.close();
      }
    };
  }
}
