package io.holdfast.benchmarks.limit;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import java.nio.charset.StandardCharsets;

/**
 * A transaction that puts a key, with a lease, unless it is there, and a deletion of the key.
 *
 * @param address the server, as {@code HOST:PORT}
 */
public record EtcdLimit(String address) implements Contender {

  private static final long LEASE_SECONDS = 3600;

  @Override
  public String name() {
    return "txn put, delete";
  }

  @Override
  public Role role() {
    return Role.LIMIT;
  }

  @Override
  public String settings() {
    return "jetcd, one client for all threads as in its examples, one lease for all keys";
  }

  @Override
  public OpenContender open(int threads) throws Exception {
    Client client = Client.builder().endpoints("http://" + address).build();
    KV keys = client.getKVClient();
    long lease = client.getLeaseClient().grant(LEASE_SECONDS).get().getID();
    ByteSequence owner = bytes("owner");
    PutOption leased = PutOption.builder().withLeaseId(lease).build();
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        ByteSequence key = bytes("limit/" + lock);
        Cmp absent = new Cmp(key, Cmp.Op.EQUAL, CmpTarget.version(0));
        Op.PutOp put = Op.put(key, owner, leased);
        return () -> {
          if (!keys.txn().If(absent).Then(put).commit().get().isSucceeded()) {
            throw new IllegalStateException("The key is there.");
          }
          keys.delete(key).get();
        };
      }

      @Override
      public void close() throws Exception {
        client.getLeaseClient().revoke(lease).get();
        client.close();
      }
    };
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }
}
