package io.holdfast.mongo;

import com.mongodb.client.MongoClient;
import io.holdfast.mongo.connection.Connection;
import io.holdfast.mongo.connection.Connections;
import io.holdfast.mongo.connection.Connections.Owner;
import io.holdfast.spi.BackendFactory;

/**
 * Locks over a {@code MongoClient} that the application already has. Holdfast never closes it, and
 * uses its own read and write concerns, preferences and codecs, not the client's.
 *
 * <pre>{@code
 * LockClient locks = Holdfast.builder().connect(MongoLocks.on(client));
 * }</pre>
 *
 * <p>Heartbeats share the client's pool with the application. If all connections of the pool are
 * busy for longer than a quarter of the TTL, renewals come late.
 *
 * <p>Give it a client with {@code retryWrites=false}. Otherwise the driver repeats a write whose
 * answer was lost, and tells only what the second copy found: if the first is executed later still,
 * a lock that was refused stays held until the session ends.
 */
public final class MongoLocks {

  private MongoLocks() {}

  /** Keeps the locks in the database {@code holdfast}, in collections with the default prefix. */
  public static BackendFactory on(MongoClient client) {
    return on(client, new MongoNames(MongoNames.DATABASE_DEFAULT));
  }

  /** Keeps the locks in the database and the collections with the given names. */
  public static BackendFactory on(MongoClient client, MongoNames names) {
    Connection connection = new Connection(client, names.database(), names.prefix());
    String describe = "mongodb (client of the application)/%s.%s";
    Connections connections =
        new Connections(
            connection,
            connection,
            Owner.THE_APPLICATION,
            describe.formatted(names.database(), names.prefix()));
    return (options, deadline) ->
        MongoLockBackend.open(connections, MongoSettings.standard(), options, deadline);
  }
}
