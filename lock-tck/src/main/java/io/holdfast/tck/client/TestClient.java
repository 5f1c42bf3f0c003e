package io.holdfast.tck.client;

import io.holdfast.ClientBuilder;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.faults.Invocation;
import io.holdfast.tck.faults.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * A client of the store under test, the faults on its way there, and what it was seen to do.
 * Thread-safe.
 */
public final class TestClient implements AutoCloseable {

  /**
   * A verb that reached the network.
   *
   * @param verb which
   * @param invocation with what
   */
  public record Sent(Verb verb, Invocation invocation) {}

  private final FaultyBackend faults;
  private final LockClient client;
  private final List<Sent> sent = new CopyOnWriteArrayList<>();
  private final List<Verb> answered = new CopyOnWriteArrayList<>();
  private final List<LockEvent> events = new CopyOnWriteArrayList<>();

  /**
   * Makes a client, which closes the backend.
   *
   * @param toEngine what the engine is given instead of the way to the store
   */
  public TestClient(LockBackend backend, Duration ttl, UnaryOperator<LockBackend> toEngine) {
    this(backend, Holdfast.builder().defaultTtl(ttl), toEngine);
  }

  /**
   * Makes a client, which closes the backend.
   *
   * @param settings those of the client
   * @param toEngine what the engine is given instead of the way to the store
   */
  public TestClient(
      LockBackend backend, ClientBuilder settings, UnaryOperator<LockBackend> toEngine) {
    this(backend, settings, toEngine, UnaryOperator.identity());
  }

  /**
   * Makes a client, which closes the backend.
   *
   * @param settings those of the client
   * @param toEngine what the engine is given instead of the way to the store
   * @param toApplication what rules are given instead of the engine's client
   */
  TestClient(
      LockBackend backend,
      ClientBuilder settings,
      UnaryOperator<LockBackend> toEngine,
      UnaryOperator<LockClient> toApplication) {
    this.faults = new FaultyBackend(backend);
    LockClient engine =
        settings
            .listener(events::add)
            .connect(
                toEngine.apply(
                    new InterceptedBackend(faults) {
                      @Override
                      protected Object intercept(Verb verb, Invocation call) {
                        sent.add(new Sent(verb, call));
                        Object answer = call.proceed();
                        answered.add(verb);
                        return answer;
                      }
                    }));
    this.client = toApplication.apply(engine);
  }

  /** Returns what can go wrong between the client and the store. */
  public FaultyBackend faults() {
    return faults;
  }

  /** Returns the client. */
  public LockClient client() {
    return client;
  }

  /** Returns the calls it has made so far. */
  public List<Sent> sent() {
    return List.copyOf(sent);
  }

  /** Returns how many calls of a verb it has made so far. */
  public long count(Verb verb) {
    return sent.stream().filter(call -> call.verb() == verb).count();
  }

  /** Returns whether a call of the verb was answered. */
  public boolean hasAnswerOf(Verb verb) {
    return answers(verb) > 0;
  }

  /** Returns how many calls of a verb were answered so far. */
  public long answers(Verb verb) {
    return answered.stream().filter(each -> each == verb).count();
  }

  /** Returns the events that it has told so far. */
  public List<LockEvent> events() {
    return List.copyOf(events);
  }

  /** Acquires, waiting for up to a time. */
  public Grant acquire(String name, Duration wait) {
    return client.lock(name).acquire(wait);
  }

  /** Makes one attempt. */
  public Optional<Grant> attempt(String name) {
    return client.lock(name).tryAcquire();
  }

  /** Makes one attempt, which must succeed. */
  public Grant hold(String name) {
    return attempt(name)
        .orElseThrow(() -> new AssertionError("The lock " + name + " was not to be had."));
  }

  /** Acquires on a thread of its own. */
  public Waiting waitFor(String name, Duration wait) {
    return new Waiting(() -> acquire(name, wait));
  }

  /** Something that is done on a thread of its own, which may be interrupted. */
  public static final class Waiting {
    private final CompletableFuture<Grant> result = new CompletableFuture<>();
    private final Thread thread;

    /** Begins. */
    public Waiting(Callable<Grant> call) {
      thread =
          new Thread(
              () -> {
                try {
                  result.complete(call.call());
                } catch (Exception | Error e) {
                  result.completeExceptionally(e);
                }
              },
              "tck-waiting");
      thread.setDaemon(true);
      thread.start();
    }

    /** Interrupts it. */
    public void interrupt() {
      thread.interrupt();
    }

    /** Returns what becomes of it. */
    public CompletableFuture<Grant> result() {
      return result;
    }

    /** Waits for the grant. */
    public Grant grant() {
      return result.orTimeout(60, java.util.concurrent.TimeUnit.SECONDS).join();
    }
  }

  @Override
  public void close() {
    faults.heal();
    client.close();
  }
}
