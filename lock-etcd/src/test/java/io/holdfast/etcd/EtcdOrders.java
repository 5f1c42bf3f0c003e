package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.StaleTokenException;
import io.holdfast.tck.process.client.FencedResource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An application's key in the cluster of its lock. Has the example of docs/fencing.md. */
final class EtcdOrders implements FencedResource {

  private final Duration timeout = Duration.ofSeconds(30);
  private final ByteSequence key = bytes("application/orders/42");
  private final Client client;
  private final EtcdFencing fencing;

  EtcdOrders(String endpoint) {
    this.client = Client.builder().endpoints(endpoint).build();
    this.fencing = new EtcdFencing(client);
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  @Override
  public LockClient locks(Duration ttl) {
    return Holdfast.builder().defaultTtl(ttl).connect(EtcdLocks.on(client));
  }

  @Override
  public Writer writer(Grant grant) {
    Cmp[] held = fencing.isHeld(grant.sequencer(), timeout); // one read for each grant
    return state -> write(held, bytes(state));
  }

  private void write(Cmp[] held, ByteSequence value) throws Exception {
    CompletableFuture<TxnResponse> answer =
        client.getKVClient().txn().If(held).Then(Op.put(key, value, PutOption.DEFAULT)).commit();
    if (!answer.get(timeout.toSeconds(), TimeUnit.SECONDS).isSucceeded()) {
      throw new StaleTokenException("The grant is not in force any more.");
    }
  }

  @Override
  public String read() throws Exception {
    KeyValue order =
        client.getKVClient().get(key).get(timeout.toSeconds(), TimeUnit.SECONDS).getKvs().get(0);
    return order.getValue().toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.close();
  }
}
