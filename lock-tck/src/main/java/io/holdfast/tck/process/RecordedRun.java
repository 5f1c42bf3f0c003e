package io.holdfast.tck.process;

import static java.util.Comparator.reverseOrder;

import io.holdfast.LockClient;
import io.holdfast.ProcessIdentity;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryEvent.ProcessKilled;
import io.holdfast.tck.history.HistoryWriter;
import io.holdfast.tck.history.check.Expectations;
import io.holdfast.tck.history.check.HistoryChecker;
import io.holdfast.tck.history.check.UnsoundHistoryError;
import io.holdfast.tck.process.actor.ActorCommand;
import io.holdfast.tck.process.actor.ActorHandle;
import io.holdfast.tck.process.actor.ActorSettings;
import io.holdfast.tck.process.actor.ChildActor;
import io.holdfast.tck.process.actor.Disturbance;
import io.holdfast.tck.process.actor.LocalActor;
import io.holdfast.tck.process.actor.WorkloadSpec;
import io.holdfast.tck.process.client.ClientSettings;
import io.holdfast.tck.process.client.StoreProbe;
import io.holdfast.tck.report.NotProvedException;
import io.holdfast.tck.server.ShiftedClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * One run of actors against a store, on locks of its own. Everything is written down, and when all
 * have left, the history is checked.
 *
 * <p>When a run fails its files are kept, and the failure says where they are and how to make the
 * same random choices again.
 */
final class RecordedRun implements AutoCloseable {

  private static final int LOCKS = 2;

  /** Of the least times that workers ask for: others wait for them. */
  private static final Duration AT_LEAST_MAX = Duration.ofMillis(200);

  /** The TTL of those to which nothing happens: a slow machine ends no session of theirs. */
  static final Duration STEADY_TTL = Duration.ofSeconds(30);

  /**
   * Child JVMs that start at one time. A JVM that starts computes, and a machine on which a dozen
   * start at once answers no call in time.
   */
  private static final Semaphore STARTS = new Semaphore(2);

  private static final int PAUSES_MAX = 5;

  private final ProcessSubject subject;
  private final Path directory;
  private final List<String> locks;
  private final long seed = Seeds.next();
  private final HistoryWriter history;
  private final LockClient observer;
  private final QueueWatcher watcher;
  private final List<ActorHandle> actors = new ArrayList<>();

  private RecordedRun(ProcessSubject subject, Path directory) {
    this.subject = subject;
    this.directory = directory;
    String prefix = "tck/" + UUID.randomUUID() + "/";
    this.locks = IntStream.range(0, LOCKS).mapToObj(i -> prefix + i).toList();
    this.history = HistoryWriter.open(directory, "run");
    this.observer =
        subject.connect(
            new ClientSettings(new ProcessIdentity("observer"), subject.ttl(), event -> {}));
    this.watcher = new QueueWatcher(observer, locks, history);
  }

  /** The script of a run. */
  @FunctionalInterface
  interface Script {
    /** Executes the script. */
    void play(RecordedRun run) throws Exception;
  }

  /**
   * Performs a run and returns its history.
   *
   * @throws AssertionError if the script failed or the history is not sound
   */
  static History perform(ProcessSubject subject, Script script) throws Exception {
    Path directory = Files.createTempDirectory(subject.directory(), "holdfast-tck-");
    RecordedRun run = new RecordedRun(subject, directory);
    History sound;
    try (run) {
      script.play(run);
      sound = run.finish();
    } catch (TestAbortedException e) {
      delete(directory);
      throw e;
    } catch (Exception | AssertionError e) {
      throw run.explained(e);
    }
    delete(directory);
    return sound;
  }

  /** Returns the lock of a run that uses a single lock. */
  String lock() {
    return locks.get(0);
  }

  /** Returns a second lock. */
  String otherLock() {
    return locks.get(1);
  }

  Duration ttl() {
    return subject.ttl();
  }

  Duration goneAfter() {
    return subject.goneAfter();
  }

  /** Makes an actor in this JVM. */
  ActorHandle here(String process) {
    return here(process, subject::connect);
  }

  /** Makes an actor in this JVM to which nothing happens. */
  ActorHandle steady(String process) {
    return add(LocalActor.start(settings(process, STEADY_TTL), subject::connect));
  }

  /** Makes an actor in this JVM whose clients are connected in another way. */
  ActorHandle here(String process, Function<ClientSettings, LockClient> source) {
    return add(LocalActor.start(settings(process, subject.ttl()), source));
  }

  private ActorHandle add(ActorHandle actor) {
    actors.add(actor);
    return actor;
  }

  /**
   * Starts a child JVM.
   *
   * @throws TestAbortedException if other JVMs cannot reach the store
   */
  ChildActor child(String process) {
    return child(process, uri(), Map.of());
  }

  /** Starts a child JVM that reaches the store by another URI. */
  ChildActor child(String process, String uri) {
    return child(process, uri, Map.of());
  }

  /**
   * Starts a child JVM that goes by a clock.
   *
   * @throws TestAbortedException if other JVMs cannot reach the store
   */
  ChildActor child(String process, ShiftedClock clock) {
    return child(process, uri(), clock.environment());
  }

  private ChildActor child(String process, String uri, Map<String, String> environment) {
    return child(settings(process, subject.ttl()), uri, environment);
  }

  private ChildActor child(ActorSettings settings, String uri, Map<String, String> environment) {
    STARTS.acquireUninterruptibly();
    try {
      ChildActor actor = start(settings, uri, environment);
      actor.awaitReady();
      return actor;
    } finally {
      STARTS.release();
    }
  }

  /** Starts a child JVM whose leases outlast everything that happens to it. */
  ChildActor steadyChild(String process) {
    return child(settings(process, STEADY_TTL), uri(), Map.of());
  }

  /** Returns a client whose work is not recorded. */
  LockClient observer() {
    return observer;
  }

  /** Starts several child JVMs. */
  List<ChildActor> children(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> child("child" + i)).toList();
  }

  /** Makes work for one of several actors, each with choices of its own. */
  WorkloadSpec work(int clients, int workersPerClient, Duration duration, int which) {
    return work(clients, workersPerClient, duration, which, Disturbance.INTERRUPT_AND_CLOSE);
  }

  /**
   * Makes work that is disturbed, or not. Its lock-delay is longer than it takes to find a session
   * over whose lease has run out: a lock that has no delay is seen to pass on too early.
   */
  WorkloadSpec work(
      int clients, int workersPerClient, Duration duration, int which, Disturbance disturbance) {
    return new WorkloadSpec(
        clients,
        workersPerClient,
        duration,
        seed + which,
        disturbance,
        subject.modes(),
        subject.stays().contains(Stays.AT_LEAST) ? AT_LEAST_MAX : Duration.ZERO,
        subject.stays().contains(Stays.LOCK_DELAY)
            ? subject.goneAfter().minus(subject.ttl())
            : Duration.ZERO);
  }

  /** Returns where the other random choices of this run come from. */
  Random random() {
    return new Random(seed);
  }

  /**
   * Waits until a request has been seen in the lock's queue, or is served: on a slow machine the
   * lease of a holder whose leases are short may run out, and no request waits for long then.
   */
  void awaitQueued(ActorCommand command) {
    watcher.awaitSeen(command.awaitRequest(), command::isHolding, subject.maxWait());
  }

  /** Lets so much time go by that every session is over that no client renews. */
  void outliveLeases() throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(subject.goneAfter().toNanos());
  }

  /**
   * Pauses a child where it keeps no other out of the store. One that stands still in the middle of
   * a write to a file blocks all others for as long, and then the rule would be about that.
   */
  void pause(ChildActor child) {
    child.pause();
    for (int i = 1; subject.isEmbedded() && i < PAUSES_MAX && !isWritable(); i++) {
      child.resume();
      child.pause();
    }
  }

  private boolean isWritable() {
    return StoreProbe.isWritable(observer, lock() + "/probe");
  }

  @Override
  public void close() {
    actors.forEach(ActorHandle::close);
    watcher.close();
    observer.close();
    history.close();
  }

  private String uri() {
    return subject
        .uri()
        .orElseThrow(
            () ->
                new NotProvedException(
                    "Other processes cannot reach the store: TckStore.uri() gives no URI."));
  }

  private ChildActor start(ActorSettings settings, String uri, Map<String, String> environment) {
    ChildActor actor =
        ChildActor.start(settings, subject.clientSource(), uri, environment, history);
    actors.add(actor);
    return actor;
  }

  private ActorSettings settings(String process, Duration ttl) {
    return new ActorSettings(process, directory, ttl, subject.maxWait(), locks);
  }

  private History finish() throws InterruptedException {
    for (ActorHandle actor : actors) {
      actor.leave();
    }
    watcher.close();
    boolean killed = History.read(directory).events(ProcessKilled.class).findAny().isPresent();
    List<String> residue = Residue.of(observer, locks, killed, subject.maxWait());
    History all = History.read(directory);
    HistoryChecker.requireSound(all, expectations().residue(residue));
    return all;
  }

  private Expectations expectations() {
    // Half of maxWait: a worker that is never handed the lock gives up after the whole of it.
    return Expectations.of(subject.order(), subject.maxWait().dividedBy(2));
  }

  private AssertionError explained(Throwable failure) {
    AssertionError explained =
        new AssertionError(
            "%s%nThe history is kept in %s. The same random choices again: %s"
                .formatted(failure.getMessage(), directory, Seeds.replay(seed)),
            failure);
    if (!(failure instanceof UnsoundHistoryError)) {
      try {
        HistoryChecker.requireSound(History.read(directory), expectations());
      } catch (UnsoundHistoryError cause) {
        explained.addSuppressed(cause);
      }
    }
    return explained;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
