package io.holdfast.mongo.connection;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.bson.BsonDocument;

/**
 * Bounds the time of one operation. From version 5.2 on the driver does so itself. With an older
 * driver the operation runs on a thread of ours, which is interrupted when the time is over; the
 * driver then gives up the connection.
 */
public final class TimeLimit {

  /** Both are looked up by name, since an older driver has neither the method nor the exception. */
  private static final boolean DRIVER_KEEPS_TIME =
      Arrays.stream(MongoCollection.class.getMethods())
          .anyMatch(method -> method.getName().equals("withTimeout"));

  private static final String TIMEOUT_OF_DRIVER = "com.mongodb.MongoOperationTimeoutException";

  private TimeLimit() {}

  /** Returns a collection whose operations the driver ends in time, if it can. */
  public static MongoCollection<BsonDocument> of(
      MongoCollection<BsonDocument> collection, long millis) {
    return DRIVER_KEEPS_TIME
        ? collection.withTimeout(Math.max(1, millis), TimeUnit.MILLISECONDS)
        : collection;
  }

  /** Returns a database whose operations the driver ends in time, if it can. */
  public static MongoDatabase of(MongoDatabase database, long millis) {
    return DRIVER_KEEPS_TIME
        ? database.withTimeout(Math.max(1, millis), TimeUnit.MILLISECONDS)
        : database;
  }

  /**
   * Runs an operation on a collection or a database from {@link #of}, and ends it in time if the
   * driver cannot.
   */
  static <T> T run(Supplier<T> operation, long millis, String where) {
    return DRIVER_KEEPS_TIME ? operation.get() : onThread(operation, millis, where);
  }

  /** Returns whether the driver ended an operation because its time was over. */
  static boolean isOver(MongoException e) {
    return e.getClass().getName().equals(TIMEOUT_OF_DRIVER);
  }

  private static <T> T onThread(Supplier<T> operation, long millis, String where) {
    Future<T> answer = Threads.CALLS.submit(operation::get);
    try {
      return answer.get(Math.max(1, millis), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw ended(answer, where + " did not answer in time.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ended(answer, "Interrupted while waiting for " + where + ".", e);
    }
  }

  private static BackendFailure ended(Future<?> answer, String message, Exception cause) {
    answer.cancel(true);
    return new BackendFailure(Effect.UNKNOWN, message, cause);
  }

  /** Created only if the driver needs them. */
  private static final class Threads {
    static final ExecutorService CALLS =
        Executors.newCachedThreadPool(
            call -> {
              Thread thread = new Thread(call, "holdfast-mongo-call");
              thread.setDaemon(true);
              return thread;
            });
  }
}
