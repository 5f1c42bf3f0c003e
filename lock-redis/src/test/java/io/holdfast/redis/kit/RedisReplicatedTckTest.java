package io.holdfast.redis.kit;

import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.client.AcquireRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.rules.call.CallRules;
import io.holdfast.tck.rules.failure.QuorumRules;
import io.holdfast.tck.rules.queue.GrabRules;
import io.holdfast.tck.rules.queue.LookRules;
import io.holdfast.tck.rules.queue.OvertakeRules;
import io.holdfast.tck.rules.queue.QueueRules;
import io.holdfast.tck.rules.queue.ReleaseRules;
import io.holdfast.tck.rules.queue.RevokeRules;
import io.holdfast.tck.rules.session.SessionRules;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * What {@code waitReplicas=1} could break, on a server and its replica, although the whole kit has
 * passed without it: what it is for ({@link QuorumRules}); every verb that writes and now waits
 * ({@link SessionRules} to {@link RevokeRules}); calls and their ends ({@link CallRules}); clients
 * that wait for each other ({@link AcquireRules}). The scripts are the same.
 */
@Adapter("redis")
@Tag("server")
@SharedServer(disturbedBy = QuorumControl.class)
public class RedisReplicatedTckTest extends TckBase
    implements QuorumRules,
        SessionRules,
        GrabRules,
        QueueRules,
        OvertakeRules,
        ReleaseRules,
        LookRules,
        RevokeRules,
        CallRules,
        AcquireRules {

  private static RedisServer server;
  private static RedisServer replica;

  @BeforeAll
  public static void startServers() {
    // Durability on disk does not matter here, and waiting for it takes half of the time.
    server = RedisServer.launch("--appendfsync", "everysec");
    replica = RedisServer.replicaOf(server);
  }

  @AfterAll
  public static void stopServers() {
    replica.close();
    server.close();
  }

  @Override
  protected TckStore openStore() {
    return new ReplicatedStore(RedisNamespace.on(server));
  }

  private static final class ReplicatedStore extends RedisTckStore implements QuorumControl {

    ReplicatedStore(RedisNamespace namespace) {
      super(namespace);
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return namespace()
          .backendOfOldServer(namespace().uri() + "&waitReplicas=1", options, beforeStep);
    }

    @Override
    public void withoutQuorum(Runnable body) {
      replica.pause();
      try {
        body.run();
      } finally {
        replica.resume();
      }
    }
  }
}
