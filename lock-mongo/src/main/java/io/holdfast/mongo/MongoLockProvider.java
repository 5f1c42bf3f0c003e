package io.holdfast.mongo;

import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Connections;
import io.holdfast.mongo.connection.MongoErrors;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.List;

/**
 * The provider for {@code mongodb://HOSTS/DATABASE} and {@code mongodb+srv://HOST/DATABASE}, with
 * all options of the driver. The locks lie in three collections and are shared by all clients that
 * can reach them.
 */
public final class MongoLockProvider implements LockProvider {

  /** Found by {@link java.util.ServiceLoader}. */
  public MongoLockProvider() {}

  @Override
  public String name() {
    return "mongo";
  }

  @Override
  public List<String> uriForms() {
    return List.of(MongoUri.SCHEME + "HOSTS/DATABASE", MongoUri.SRV_SCHEME + "HOST/DATABASE");
  }

  @Override
  public boolean accepts(String uri) {
    return MongoUri.isOne(uri);
  }

  @Override
  public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
    return connect(uri, MongoSettings.standard(), options, deadline);
  }

  @Override
  public Retirement retire(String uri, Deadline deadline) {
    return retire(uri, MongoSettings.standard(), deadline);
  }

  static Retirement retire(String uri, MongoSettings settings, Deadline deadline) {
    Connections connections = MongoUri.of(uri).connections();
    try {
      MongoErrors errors = new MongoErrors(connections.describe());
      return new Retirements(
              new CommandSender(connections.verbs(), errors, deadline, settings.onCommand()))
          .retire();
    } finally {
      connections.close();
    }
  }

  static LockBackend connect(
      String uri, MongoSettings settings, BackendOptions options, Deadline deadline) {
    MongoUri parsed = MongoUri.of(uri);
    Connections connections = parsed.connections();
    LockBackend backend = MongoLockBackend.open(connections, settings, options, deadline);
    parsed.warnOfOneMember(connections);
    return backend;
  }
}
