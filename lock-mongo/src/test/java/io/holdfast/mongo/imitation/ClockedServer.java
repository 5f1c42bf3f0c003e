package io.holdfast.mongo.imitation;

import static org.awaitility.Awaitility.await;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.holdfast.mongo.MongoNames;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.tck.server.ServerProcess;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * The imitation of a server, over TCP, with a clock that can be set for each database. The
 * imitation's own clock cannot be set. So an offset is added to every date in an answer and
 * subtracted from every date in a command, and when the offset changes, the stored dates are moved
 * so that clients still read the same ones.
 */
public final class ClockedServer implements AutoCloseable {

  private static final Duration PORT_FREE_WITHIN = Duration.ofSeconds(60);

  private final MemoryBackend store = new MemoryBackend();
  private MongoServer server = new MongoServer(clocked(store));
  private final ReadWriteLock setting = new ReentrantReadWriteLock();
  private final Map<String, Duration> ahead = new ConcurrentHashMap<>();

  private ClockedServer() {
    // No connection is given this one while the server starts again.
    server.bind("localhost", ServerProcess.freePort());
  }

  public static ClockedServer start() {
    return new ClockedServer();
  }

  public int port() {
    return server.getLocalAddress().getPort();
  }

  /** Gives this database a clock that can be set. */
  public void remember(String database) {
    ahead.put(database, Duration.ZERO);
  }

  /** Breaks all connections, and starts again on the same port with all data. */
  public void restart() {
    int port = port();
    server.shutdownNow();
    // A process that this JVM has just started listens too, until it runs its own program.
    await()
        .atMost(PORT_FREE_WITHIN)
        .ignoreExceptions()
        .until(
            () -> {
              server = new MongoServer(clocked(store));
              server.bind("localhost", port);
              return true;
            });
  }

  /** Keeps the data open when its server is closed. */
  private MongoBackend clocked(MongoBackend store) {
    return (MongoBackend)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {MongoBackend.class},
            (proxy, method, arguments) -> {
              try {
                return switch (method.getName()) {
                  case "handleMessage" -> answer(store, (MongoMessage) arguments[0]);
                  case "close" -> null;
                  default -> method.invoke(store, arguments);
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Document answer(MongoBackend store, MongoMessage message) {
    Lock lock = lockFor(message.getDocument());
    lock.lock();
    try {
      Object database = message.getDocument().get("$db");
      Duration by = database == null ? Duration.ZERO : ahead.getOrDefault(database, Duration.ZERO);
      Document told = (Document) moved(message.getDocument(), date -> date.minus(by));
      MongoMessage moved = new MongoMessage(message.getChannel(), message.getHeader(), told);
      return (Document) moved(store.handleMessage(moved), date -> date.plus(by));
    } finally {
      lock.unlock();
    }
  }

  /**
   * A server has a unique index at one moment, or not at all if a document comes in between that is
   * refused by it. The imitation would leave it out.
   */
  private Lock lockFor(Document command) {
    return command.containsKey("createIndexes") ? setting.writeLock() : setting.readLock();
  }

  /** Sets the clock of all databases forward, or back by a negative duration. */
  public void stepClock(Duration by) {
    ahead.keySet().forEach(database -> stepClock(database, by));
  }

  /** Sets the clock of a database forward, or back by a negative duration. */
  public void stepClock(String database, Duration by) {
    setting.writeLock().lock();
    try {
      ahead.merge(database, by, Duration::plus);
      changeRecords(database, (field, value) -> moved(value, date -> date.minus(by)));
    } finally {
      setting.writeLock().unlock();
    }
  }

  /** Changes all records as if an earlier primary had written them. */
  public void ageIncarnations() {
    setting.writeLock().lock();
    try {
      for (String database : ahead.keySet()) {
        changeRecords(database, ClockedServer::aged);
      }
    } finally {
      setting.writeLock().unlock();
    }
  }

  /** Replaces the incarnation, which is in a session's record and in the mark of a revocation. */
  private static Object aged(String field, Object value) {
    if (value instanceof Document document) {
      Document aged = document.clone();
      aged.replaceAll(ClockedServer::aged);
      return aged;
    }
    return field.equals("inc") ? "an earlier primary" : value;
  }

  /** Returns the queue of a lock, as it is now. */
  List<?> queue(String database, String collection, Object key) {
    setting.readLock().lock();
    try {
      for (Document lock :
          store.resolveDatabase(database).resolveCollection(collection, true).queryAll()) {
        if (key.equals(lock.get("_id"))) {
          return List.copyOf((Collection<?>) lock.get("queue"));
        }
      }
      return List.of();
    } finally {
      setting.readLock().unlock();
    }
  }

  /** Deletes the data of a database. */
  public void wipe(String database) {
    setting.writeLock().lock();
    try {
      store.dropDatabase(database);
    } finally {
      setting.writeLock().unlock();
    }
  }

  /** Deletes a database and its clock. */
  public void drop(String database) {
    setting.writeLock().lock();
    try {
      ahead.remove(database);
      store.dropDatabase(database);
    } finally {
      setting.writeLock().unlock();
    }
  }

  private void changeRecords(String database, BiFunction<String, Object, Object> change) {
    for (CollectionRole part : CollectionRole.values()) {
      MongoCollection<?> collection =
          store
              .resolveDatabase(database)
              .resolveCollection(part.nameWith(MongoNames.PREFIX_DEFAULT), false);
      if (collection != null) {
        for (Document document : collection.queryAll()) {
          document.replaceAll(change);
        }
      }
    }
  }

  private static Object moved(Object value, UnaryOperator<Instant> by) {
    if (value instanceof Instant date) {
      return by.apply(date);
    }
    if (value instanceof Document document) {
      Document moved = new Document();
      for (Map.Entry<String, Object> field : document.entrySet()) {
        moved.append(field.getKey(), moved(field.getValue(), by));
      }
      return moved;
    }
    if (value instanceof Collection<?> values) {
      List<Object> moved = new ArrayList<>();
      values.forEach(each -> moved.add(moved(each, by)));
      return moved;
    }
    return value;
  }

  @Override
  public void close() {
    server.shutdownNow();
    store.close();
  }
}
