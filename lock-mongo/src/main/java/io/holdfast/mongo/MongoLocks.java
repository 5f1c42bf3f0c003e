package io.holdfast.mongo;

import com.mongodb.client.MongoClient;
import io.holdfast.mongo.Connections.Owner;
import io.holdfast.spi.BackendFactory;

/**
 * Locks over a {@code MongoClient} that the application has already, and that is never closed here.
 * Its concerns, preferences and codecs are our own whatever the client's are.
 *
 * <pre>{@code
 * LockClient locks = Holdfast.builder().connect(MongoLocks.on(client));
 * }</pre>
 *
 * <p>Heartbeats share the client's pool with the application here: where all of its connections are
 * in use for longer than a quarter of a TTL, renewals come late.
 */
public final class MongoLocks {

  private MongoLocks() {}

  /** Keeps the locks in the usual collections of the database {@code holdfast}. */
  public static BackendFactory on(MongoClient client) {
    return on(client, new MongoNames(MongoNames.DATABASE_DEFAULT));
  }

  /** Keeps the locks in collections of these names. */
  public static BackendFactory on(MongoClient client, MongoNames names) {
    Connection connection = new Connection(client, names);
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
