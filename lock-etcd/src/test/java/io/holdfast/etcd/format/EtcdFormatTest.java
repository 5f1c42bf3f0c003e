package io.holdfast.etcd.format;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.etcd.EtcdLockProvider;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.format.CommonText;
import io.holdfast.tck.format.Placeholder;
import io.holdfast.tck.format.StoredFormatTck;
import io.holdfast.tck.format.StoredRecord;
import io.holdfast.tck.format.StoredState;
import io.holdfast.testing.etcd.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** What lies in the keys of etcd. */
@Tag("server")
class EtcdFormatTest extends StoredFormatTck {

  private static EtcdServer server;

  EtcdFormatTest() {
    super("etcd", StoredNamespace.PROTOCOL);
  }

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected Map<CommonText, String> commonTexts() {
    return Map.of(CommonText.NAMESPACE, "value");
  }

  @Override
  protected StoredState openState() {
    EtcdState state = new EtcdState();
    state.clear();
    return state;
  }

  /**
   * All keys of the server in the order in which they were created, which is the order of a queue.
   * A lease is called by the session whose key hangs on it.
   */
  private static final class EtcdState implements StoredState {

    private static final String PREFIX = "golden:";
    private static final String VALUE = "value";
    private static final String LEASE = "(lease)";
    private static final String NO_LEASE = "none";
    private static final String OTHER_LEASE = "of no session";
    private static final long LEASE_SECONDS = 60;
    private static final ByteSequence ALL = ByteSequence.from(new byte[1]);
    private static final Pattern CLOCK = Pattern.compile("clockMicros=([1-9][0-9]{15})");

    private volatile long namespaceRevision;

    private final Client client = Client.builder().endpoints("http://" + server.address()).build();

    @Override
    public LockBackend connect(BackendOptions options) {
      return new EtcdLockProvider()
          .connect(
              "etcd://" + server.address() + "/golden",
              options,
              Deadline.in(Duration.ofSeconds(30)));
    }

    @Override
    public List<StoredRecord> read() {
      List<KeyValue> keys = new ArrayList<>(keys());
      keys.sort(
          Comparator.comparing(KeyValue::getCreateRevision)
              .thenComparing(key -> text(key.getKey())));
      Map<Long, String> leases = new HashMap<>(Map.of(0L, NO_LEASE));
      for (KeyValue key : keys) {
        String name = text(key.getKey());
        if (name.startsWith(PREFIX + "s:") && name.indexOf('\t') < 0) {
          leases.put(key.getLease(), "of session " + name.substring(PREFIX.length() + 2));
        }
      }
      return keys.stream()
          .map(
              key ->
                  StoredRecord.at(key.getKey().getBytes())
                      .with(LEASE, leases.getOrDefault(key.getLease(), OTHER_LEASE))
                      .with(VALUE, key.getValue().getBytes()))
          .toList();
    }

    private List<KeyValue> keys() {
      return done(client.getKVClient().get(ALL, GetOption.builder().withRange(ALL).build()))
          .getKvs();
    }

    private static <T> T done(CompletableFuture<T> answer) {
      try {
        return answer.get(30, TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private static String text(ByteSequence bytes) {
      return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public List<Placeholder> placeholders() {
      return List.of(
          Placeholder.of("clock", PREFIX + "namespace", VALUE, CLOCK.pattern()),
          Placeholder.of("instant", PREFIX + "l:.*", VALUE, "^[A-Z]+ [A-Z]+ ([0-9TZ.:-]+) "),
          Placeholder.of("instant", PREFIX + "m:.*", VALUE, "^([0-9-]+T[0-9:.]+Z) [0-9]+$"));
    }

    @Override
    public void clear() {
      done(client.getKVClient().delete(ALL, DeleteOption.builder().withRange(ALL).build()));
    }

    @Override
    public void write(List<StoredRecord> records, Map<String, String> values) {
      Map<String, Long> leases = new HashMap<>(Map.of(NO_LEASE, 0L));
      for (StoredRecord stored : records) {
        long lease = leases.computeIfAbsent(stored.text(LEASE, values), name -> grantLease());
        done(
            client
                .getKVClient()
                .put(
                    ByteSequence.from(stored.placeBytes()),
                    ByteSequence.from(stored.bytes(VALUE, values)),
                    PutOption.builder().withLeaseId(lease).build()));
      }
      namespaceRevision =
          keys().stream()
              .filter(key -> text(key.getKey()).equals(PREFIX + "namespace"))
              .mapToLong(KeyValue::getCreateRevision)
              .findFirst()
              .orElse(0);
    }

    @Override
    public Optional<Retirement> retire() {
      return Optional.of(
          new EtcdLockProvider()
              .retire(
                  "etcd://" + server.address() + "/golden", Deadline.in(Duration.ofSeconds(30))));
    }

    /** etcd itself ends leases that have lapsed. */
    @Override
    public void lapseSessions() {
      keys().stream()
          .map(KeyValue::getLease)
          .filter(lease -> lease != 0)
          .distinct()
          .forEach(lease -> done(client.getLeaseClient().revoke(lease)));
    }

    /**
     * The transactions of older versions: each compares the revision that created the namespace.
     */
    @Override
    public boolean openAsOlderClient(int version) {
      Cmp same =
          new Cmp(
              bytes(PREFIX + "namespace"),
              Cmp.Op.EQUAL,
              CmpTarget.createRevision(namespaceRevision));
      long lease = grantLease();
      ByteSequence session = bytes(PREFIX + "s:" + SessionId.fresh().value());
      ByteSequence request = bytes(PREFIX + "l:orders/42\tlate-1");
      return Stream.of(session, request)
          .allMatch(
              key ->
                  done(client
                          .getKVClient()
                          .txn()
                          .If(same)
                          .Then(
                              Op.put(
                                  key,
                                  bytes("60 old:1"),
                                  PutOption.builder().withLeaseId(lease).build()))
                          .commit())
                      .isSucceeded());
    }

    private long grantLease() {
      return done(client.getLeaseClient().grant(LEASE_SECONDS)).getID();
    }

    /** The clock in the namespace's key plus the revision that created the first of the queue. */
    @Override
    public long number(LockName name) {
      Matcher clock =
          CLOCK.matcher(
              text(
                  done(client.getKVClient().get(bytes(PREFIX + "namespace")))
                      .getKvs()
                      .get(0)
                      .getValue()));
      return keys().stream()
          .filter(key -> text(key.getKey()).startsWith(PREFIX + "l:" + name + '\t'))
          .mapToLong(KeyValue::getCreateRevision)
          .min()
          .stream()
          .map(revision -> clock.find() ? Long.parseLong(clock.group(1)) + revision : 0)
          .findFirst()
          .orElse(0);
    }

    private static ByteSequence bytes(String text) {
      return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
