package io.holdfast.mongo;

import com.mongodb.client.MongoClient;
import io.holdfast.mongo.Connections.Owner;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;

/**
 * Locks over a {@code MongoClient} that the application has already.
 *
 * <pre>{@code
 * LockBackend backend =
 *     MongoLocks.over(client, new MongoNames("app"), BackendOptions.DEFAULTS, deadline);
 * try (LockClient locks = Holdfast.builder().connect(backend)) { … }
 * }</pre>
 */
public final class MongoLocks {

  private MongoLocks() {}

  /**
   * Makes a backend of locks. Its concerns, preferences and codecs are our own whatever the
   * client's are. The client is never closed by it.
   *
   * <p>Heartbeats share the client's pool with the application here: where all of its connections
   * are in use for longer than a quarter of a TTL, renewals come late.
   *
   * @throws io.holdfast.BackendUnusableException if the server answers but cannot be used as it is
   * @throws io.holdfast.spi.BackendFailure if it does not answer within the deadline
   */
  public static LockBackend over(
      MongoClient client, MongoNames names, BackendOptions options, Deadline deadline) {
    Connection connection = new Connection(client, names);
    Connections connections =
        new Connections(
            connection,
            connection,
            Owner.THE_APPLICATION,
            "mongodb:%s.%s".formatted(names.database(), names.prefix()));
    return MongoLockBackend.open(connections, MongoSettings.standard(), options, deadline);
  }
}
