package io.holdfast.redis.kit;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.client.AcquireRules;
import io.holdfast.tck.client.CloseRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.rules.call.CallRules;
import io.holdfast.tck.rules.call.DeadlineRules;
import io.holdfast.tck.rules.failure.FailOverRules;
import io.holdfast.tck.rules.queue.GrabRules;
import io.holdfast.tck.rules.queue.LookRules;
import io.holdfast.tck.rules.queue.OvertakeRules;
import io.holdfast.tck.rules.queue.QueueRules;
import io.holdfast.tck.rules.queue.ReleaseRules;
import io.holdfast.tck.rules.queue.RevokeRules;
import io.holdfast.tck.rules.record.NameRules;
import io.holdfast.tck.rules.record.NamespaceRules;
import io.holdfast.tck.rules.record.RecordRules;
import io.holdfast.tck.rules.session.SessionRules;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.redis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import redis.clients.jedis.JedisPooled;

/**
 * What could go wrong over the application's client although the whole kit has passed over our own
 * connections: that every verb's answer is read as it was meant, whatever the names are ({@link
 * SessionRules} to {@link NamespaceRules}); that calls end and failures are told ({@link
 * CallRules}, {@link DeadlineRules}); that a loss is seen ({@link FailOverRules}); that hints
 * arrive and the client is left to the application ({@link AcquireRules}, {@link CloseRules}).
 * Numbers, times and steps are what the scripts do, and they are the same.
 */
@Adapter("redis")
@Tag("server")
@SharedServer(disturbedBy = FailOverControl.class)
public class ApplicationClientTckTest extends TckBase
    implements SessionRules,
        GrabRules,
        QueueRules,
        OvertakeRules,
        ReleaseRules,
        LookRules,
        RevokeRules,
        RecordRules,
        NameRules,
        NamespaceRules,
        CallRules,
        DeadlineRules,
        FailOverRules,
        AcquireRules,
        CloseRules {

  private static RedisServer server;

  @BeforeAll
  public static void startServer() {
    server = RedisServer.launch();
  }

  @AfterAll
  public static void stopServer() {
    server.close();
  }

  @Override
  protected TckStore openStore() {
    return new GivenStore();
  }

  private static final class GivenStore extends LosingStore {

    private final List<JedisPooled> clients = new ArrayList<>();

    GivenStore() {
      super(server);
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      JedisPooled jedis = new JedisPooled("127.0.0.1", server.port());
      synchronized (clients) {
        clients.add(jedis);
      }
      return asOldAsItIs(namespace().backend(jedis, options, beforeStep));
    }

    @Override
    public void close() {
      super.close();
      clients.forEach(JedisPooled::close);
    }
  }
}
