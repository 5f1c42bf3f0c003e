package io.holdfast.etcd.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Txn;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.etcd.EtcdLocks;
import io.holdfast.etcd.connection.ClusterConnection;
import io.holdfast.etcd.connection.ReplaceableClient;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.etcd.session.Sessions;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine releases a request also while a look at it is under way, and never asks about it
 * again. The holder may hold for years, and with it what was left behind its key.
 */
@Tag("server")
class EtcdOverlappedLookTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final LockName LOCK = new LockName("a");
  private static final Executor THREADS = task -> new Thread(task, "answers").start();
  private static final Runnable NOTHING = () -> {};

  private static EtcdServer server;
  private static Client client;

  /** What happens between the answer of the next transaction and whoever waits for it. */
  private final AtomicReference<Runnable> held = new AtomicReference<>(NOTHING);

  private final String prefix = "overlapped/" + UUID.randomUUID();
  private final Keys keys = new Keys(prefix);
  private final Places places = new Places(this::isKnown);
  private LockBackend backend;
  private ClusterConnection cluster;
  private Watches watches;
  private Sessions sessions;
  private Queues queues;
  private Standings standings;
  private Releases releases;
  private SpiClient waiter;
  private Request waits;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
    client = Client.builder().endpoints("http://" + server.address()).build();
  }

  @AfterAll
  static void stopServer() {
    client.close();
    server.close();
  }

  @BeforeEach
  void queue() {
    backend = EtcdLocks.on(client, prefix).connect(BackendOptions.DEFAULTS, StoreFixture.soon());
    Client holdsBack = (Client) holdingBack(Client.class, client);
    cluster = new ClusterConnection(ReplaceableClient.borrowed(holdsBack), "etcd", () -> {});
    watches = new Watches(cluster, places);
    Namespaces namespaces = new Namespaces(keys, "etcd");
    Seats seats = new Seats();
    sessions =
        new Sessions(keys, namespaces, BackendOptions.DEFAULTS.namespace(), "etcd", places::forget);
    queues =
        new Queues(keys, sessions, namespaces, places, seats, watches, "etcd", Queues.WAITERS_MAX);
    standings = new Standings(keys, namespaces, places, watches);
    releases = new Releases(keys, places, seats, watches);
    SpiClient.open(backend, StoreFixture.LONG).hold(LOCK);
    waiter = SpiClient.open(backend, StoreFixture.LONG);
    waits = waiter.queue(LOCK);
    AutoCloseable unused = watches.listen(waiter.session(), name -> {});
    seats.opened(waiter.session());
    requireGranted(waiter.request(new LockName("first")), NOTHING);
  }

  private boolean isKnown(SessionId session) {
    return sessions.isKnown(session);
  }

  private void requireGranted(Request request, Runnable beforeTheAnswer) {
    held.set(beforeTheAnswer);
    Attempt attempt = cluster.verb(StoreFixture.soon(), calls -> queues.grab(calls, request));
    assertThat(attempt).isInstanceOf(Attempt.Granted.class);
  }

  @AfterEach
  void close() {
    watches.close();
    backend.close();
  }

  private Object holdingBack(Class<?> type, Object target) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          Object result = method.invoke(target, arguments);
          if (result instanceof KV) {
            return holdingBack(KV.class, result);
          }
          if (result instanceof Txn) {
            return holdingBack(Txn.class, result);
          }
          return method.getName().equals("commit")
              ? ((CompletableFuture<?>) result).thenApplyAsync(this::holdBack, THREADS)
              : result;
        });
  }

  private Object holdBack(Object answer) {
    held.getAndSet(NOTHING).run();
    return answer;
  }

  private Standing look(Runnable beforeItsAnswer) {
    held.set(beforeItsAnswer);
    List<Standing> answer =
        cluster.verb(StoreFixture.soon(), calls -> standings.look(calls, List.of(waits.key())));
    assertThat(held).as("what happened before the answer").hasValue(NOTHING);
    return answer.get(0);
  }

  private void release() {
    Released released =
        cluster.verb(StoreFixture.soon(), calls -> releases.release(calls, LOCK, waits.id()));
    assertThat(released).isEqualTo(Released.WAS_WAITING);
  }

  private void requireNothingLeft(Standing answer) {
    assertThat(answer).as("the older answer").isInstanceOf(Standing.Waiting.class);
    assertThat(places.of(waits.id())).as("the remembered place").isEmpty();
    await().atMost(TIMEOUT).until(server::watchers, count -> count == 0);
  }

  @Test
  void aReleaseBeforeTheAnswerOfASearchLeavesNothing() {
    Standing answer = look(this::release);

    requireNothingLeft(answer);
  }

  @Test
  void aReleaseBeforeTheAnswerOfACheckOfItsPlaceLeavesNothing() {
    look(NOTHING);
    assertThat(places.of(waits.id())).isPresent();
    await().atMost(TIMEOUT).until(server::watchers, count -> count == 1);

    Standing answer = look(this::release);

    requireNothingLeft(answer);
  }

  /** It has been seen where it was before the release, which it began after. */
  @Test
  void aLookWithinAReleaseLeavesNothing() {
    CompletableFuture<Standing> answer = new CompletableFuture<>();
    ClusterConnection slow =
        new ClusterConnection(
            ReplaceableClient.borrowed(client), "etcd", () -> answer.complete(look(NOTHING)));

    Released released =
        slow.verb(StoreFixture.soon(), calls -> releases.release(calls, LOCK, waits.id()));

    assertThat(released).isEqualTo(Released.WAS_WAITING);
    requireNothingLeft(answer.join());
  }

  @Test
  void theEndOfTheSessionBeforeTheAnswerLeavesNoPlace() {
    Standing answer = look(() -> places.forget(waiter.session()));

    assertThat(answer).isInstanceOf(Standing.Waiting.class);
    assertThat(places.of(waits.id())).as("the remembered place").isEmpty();
  }

  /** It may have been granted before. Nobody asks or releases in the name of such a session. */
  @Test
  void theEndOfTheSessionBeforeTheAnswerOfAGrabLeavesNoPlace() {
    Request late = waiter.request(new LockName("late"));

    requireGranted(late, () -> sessions.over(waiter.session()));

    assertThat(places.of(late.id())).as("the remembered place").isEmpty();
  }
}
