package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.spi.RequestKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The keys of a namespace, read past the adapter. */
final class EtcdKeys {

  private final Client client;
  private final String prefix;

  EtcdKeys(Client client, String prefix) {
    this.client = client;
    this.prefix = prefix + ":";
  }

  /** Returns the keys of all queues and marks, without the prefix, with ⇥ for tabs. */
  List<String> ofLocks() {
    return all().stream()
        .map(this::name)
        .filter(name -> name.startsWith("l:") || name.startsWith("m:"))
        .toList();
  }

  /** Returns the key of a request in its queue. */
  KeyValue of(RequestKey request) {
    String seats = request.request().session().value();
    return all().stream()
        .filter(entry -> name(entry).startsWith("l:" + request.name()))
        .filter(entry -> name(entry).contains(seats))
        .filter(entry -> StoredRequest.serial(entry) == request.request().serial())
        .findFirst()
        .orElseThrow();
  }

  /** Returns the mark of a request that ends with this letter. */
  KeyValue mark(RequestKey request, String letter) {
    String mark = "m:" + name(of(request)).substring("l:".length()) + "⇥" + letter;
    return all().stream().filter(entry -> name(entry).equals(mark)).findFirst().orElseThrow();
  }

  private List<KeyValue> all() {
    ByteSequence from = ByteSequence.from(prefix, StandardCharsets.UTF_8);
    try {
      return client
          .getKVClient()
          .get(from, GetOption.builder().isPrefix(true).build())
          .get(20, TimeUnit.SECONDS)
          .getKvs();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private String name(KeyValue entry) {
    return entry
        .getKey()
        .toString(StandardCharsets.UTF_8)
        .substring(prefix.length())
        .replace('\t', '⇥');
  }
}
