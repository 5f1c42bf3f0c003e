package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
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

  /** Returns what ends with the request and these letters. */
  KeyValue of(RequestKey request, String below) {
    String end = request.request() + below;
    return all().stream()
        .filter(entry -> name(entry).startsWith("l:") || name(entry).startsWith("m:"))
        .filter(entry -> name(entry).endsWith(end))
        .findFirst()
        .orElseThrow();
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
