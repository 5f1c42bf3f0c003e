package io.holdfast.mongo;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.holdfast.mongo.MongoNames.Part;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * The imitation of a server, over TCP, with a clock that can be set for each database. It has none
 * of its own to set, so every date it tells is so much later than it has it, every date it is told
 * so much earlier, and what was on record when the clock was set moves the other way.
 */
final class ClockedServer implements AutoCloseable {

  private final MemoryBackend store = new MemoryBackend();
  private MongoServer server = new MongoServer(clocked(store));
  private final ReadWriteLock setting = new ReentrantReadWriteLock();
  private final Map<String, Duration> ahead = new ConcurrentHashMap<>();

  private ClockedServer() {
    server.bind("localhost", 0);
  }

  static ClockedServer start() {
    return new ClockedServer();
  }

  int port() {
    return server.getLocalAddress().getPort();
  }

  /** From now on, setting the clock moves what is on record in this database. */
  void remember(String database) {
    ahead.put(database, Duration.ZERO);
  }

  /** Breaks all connections, and goes on at the same place with all of its data. */
  void restart() {
    int port = port();
    server.shutdownNow();
    server = new MongoServer(clocked(store));
    server.bind("localhost", port);
  }

  /** What is closed with its server is not: the data outlives it. */
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
    setting.readLock().lock();
    try {
      Object database = message.getDocument().get("$db");
      Duration by = database == null ? Duration.ZERO : ahead.getOrDefault(database, Duration.ZERO);
      Document told = (Document) moved(message.getDocument(), date -> date.minus(by));
      MongoMessage moved = new MongoMessage(message.getChannel(), message.getHeader(), told);
      return (Document) moved(store.handleMessage(moved), date -> date.plus(by));
    } finally {
      setting.readLock().unlock();
    }
  }

  /** Sets the clock of all databases forward, or back by a negative duration. */
  void stepClock(Duration by) {
    ahead.keySet().forEach(database -> stepClock(database, by));
  }

  /** Sets the clock forward, or back by a negative duration, as who uses that database sees it. */
  void stepClock(String database, Duration by) {
    setting.writeLock().lock();
    try {
      ahead.merge(database, by, Duration::plus);
      changeRecords(database, (field, value) -> moved(value, date -> date.minus(by)));
    } finally {
      setting.writeLock().unlock();
    }
  }

  /** Makes everything on record look as if an earlier primary had written it. */
  void ageIncarnations() {
    setting.writeLock().lock();
    try {
      for (String database : ahead.keySet()) {
        changeRecords(database, ClockedServer::aged);
      }
    } finally {
      setting.writeLock().unlock();
    }
  }

  /** The incarnation stands in a session's record, and within the mark of a revocation. */
  private static Object aged(String field, Object value) {
    if (value instanceof Document document) {
      Document aged = document.clone();
      aged.replaceAll(ClockedServer::aged);
      return aged;
    }
    return field.equals("inc") ? "an earlier primary" : value;
  }

  /** Deletes what is in a database. */
  void wipe(String database) {
    setting.writeLock().lock();
    try {
      store.dropDatabase(database);
    } finally {
      setting.writeLock().unlock();
    }
  }

  /** Forgets a database. */
  void drop(String database) {
    setting.writeLock().lock();
    try {
      ahead.remove(database);
      store.dropDatabase(database);
    } finally {
      setting.writeLock().unlock();
    }
  }

  private void changeRecords(String database, BiFunction<String, Object, Object> change) {
    for (Part part : Part.values()) {
      MongoCollection<?> collection =
          store
              .resolveDatabase(database)
              .resolveCollection(new MongoNames(database).collection(part), false);
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
