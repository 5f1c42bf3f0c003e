package io.holdfast.mongo.connection;

import com.mongodb.MongoException;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.ListCollectionsIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateIndexOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.connection.SocketSettings;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.BsonDocument;

/**
 * How long one operation may take. From version 5.2 on the driver keeps the time and tells the
 * server.
 *
 * <p>With an older driver the operation runs on a thread of ours, which its caller leaves when the
 * time is over. The thread and its connection are free again when the driver returns, and an
 * interrupt does not wake it while it reads from the connection. So the server is told by when it
 * has to answer; and where no answer comes, a connection of ours is given up after some seconds of
 * silence.
 *
 * @param millis at least 1
 */
public record TimeLimit(long millis) {

  /** Both are looked up by name, since an older driver has neither the method nor the exception. */
  private static final boolean DRIVER_KEEPS_TIME =
      Arrays.stream(MongoCollection.class.getMethods())
          .anyMatch(method -> method.getName().equals("withTimeout"));

  private static final String TIMEOUT_OF_DRIVER = "com.mongodb.MongoOperationTimeoutException";

  /** More than the engine gives any call, also the one that connects. */
  private static final int SILENCE_MILLIS_MAX = 20_000;

  /** Returns the limit of an operation that has some time left, or none. */
  public static TimeLimit in(long millis) {
    return new TimeLimit(Math.max(1, millis));
  }

  /**
   * Returns a collection whose operations the driver ends in time, or else one whose writes wait no
   * longer for a majority.
   */
  public MongoCollection<BsonDocument> on(MongoCollection<BsonDocument> collection) {
    return DRIVER_KEEPS_TIME
        ? collection.withTimeout(millis, TimeUnit.MILLISECONDS)
        : collection.withWriteConcern(
            collection.getWriteConcern().withWTimeout(millis, TimeUnit.MILLISECONDS));
  }

  /** Returns a database whose operations the driver ends in time, if it can. */
  public MongoDatabase on(MongoDatabase database) {
    return DRIVER_KEEPS_TIME ? database.withTimeout(millis, TimeUnit.MILLISECONDS) : database;
  }

  FindOneAndUpdateOptions on(FindOneAndUpdateOptions change) {
    return DRIVER_KEEPS_TIME ? change : change.maxTime(millis, TimeUnit.MILLISECONDS);
  }

  FindIterable<BsonDocument> on(FindIterable<BsonDocument> find) {
    return DRIVER_KEEPS_TIME ? find : find.maxTime(millis, TimeUnit.MILLISECONDS);
  }

  AggregateIterable<BsonDocument> on(AggregateIterable<BsonDocument> aggregate) {
    return DRIVER_KEEPS_TIME ? aggregate : aggregate.maxTime(millis, TimeUnit.MILLISECONDS);
  }

  ListCollectionsIterable<BsonDocument> on(ListCollectionsIterable<BsonDocument> list) {
    return DRIVER_KEEPS_TIME ? list : list.maxTime(millis, TimeUnit.MILLISECONDS);
  }

  CreateIndexOptions on(CreateIndexOptions index) {
    return DRIVER_KEEPS_TIME ? index : index.maxTime(millis, TimeUnit.MILLISECONDS);
  }

  /** Has a client's connections give up a server that has fallen silent, if its driver does not. */
  public static void endSilence(SocketSettings.Builder socket) {
    if (!DRIVER_KEEPS_TIME) {
      socket.readTimeout(SILENCE_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }
  }

  /** Runs an operation on what this limit was put on. */
  <T> T run(Supplier<T> operation, String where) {
    return run(operation, late -> {}, where);
  }

  /**
   * Runs an operation on what this limit was put on.
   *
   * @param late receives the result of the operation after its time, when no thread waits for it
   * @param where the name of the store in messages
   */
  public <T> T run(Supplier<T> operation, Consumer<T> late, String where) {
    return DRIVER_KEEPS_TIME ? operation.get() : onThread(operation, late, where);
  }

  /** Returns whether the driver ended an operation because its time was over. */
  static boolean isOver(MongoException e) {
    return e.getClass().getName().equals(TIMEOUT_OF_DRIVER);
  }

  private <T> T onThread(Supplier<T> operation, Consumer<T> late, String where) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Future<?> call = Threads.CALLS.submit(() -> answer(operation, answer, late));
    try {
      return answer.get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      return outcome(answer);
    } catch (TimeoutException e) {
      answer.completeExceptionally(ended(where + " did not answer in time.", e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.completeExceptionally(ended("Interrupted while waiting for " + where + ".", e));
    }
    call.cancel(true);
    return outcome(answer);
  }

  private static <T> void answer(
      Supplier<T> operation, CompletableFuture<T> answer, Consumer<T> late) {
    try {
      T result = operation.get();
      if (!answer.complete(result)) {
        late.accept(result);
      }
    } catch (RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  static <T> T outcome(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private static BackendFailure ended(String message, Exception cause) {
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
