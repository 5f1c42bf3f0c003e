package io.holdfast.tck.process.actor;

import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.tck.history.ClientTag;
import io.holdfast.tck.history.HistoryWriter;
import io.holdfast.tck.history.Wanted;
import io.holdfast.tck.process.client.ClientSettings;
import io.holdfast.tck.process.client.RecordingClient;
import io.holdfast.tck.process.client.Registers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One process of a run. Obeys commands, one line each, and reports what comes of them; every report
 * begins with the id that the command gave.
 *
 * <ul>
 *   <li>{@code hold ID LOCK MILLIS|forever WANTED} lets a {@link CommandedHolder} ask for a lock.
 *       Reports: {@code waiting TAG}; then {@code gone}, or {@code holding TOKEN}, {@code wrote}
 *       after the first write, {@code lost} if it is, and {@code released OUTCOME}.
 *   <li>{@code release ID} lets it give the lock back.
 *   <li>{@code close ID} closes its client while it holds or waits.
 *   <li>{@code work ID SPEC} runs a {@link Workload}. Reports: {@code begun} when its clients are
 *       connected, {@code worked}.
 * </ul>
 *
 * <p>Either reports {@code failed} with what it did not expect.
 */
final class Actor implements AutoCloseable {

  static final String FOR_EVER = "forever";

  private static final Duration BETWEEN_CONNECTS = Duration.ofMillis(20);

  private final ActorSettings settings;
  private final Function<ClientSettings, LockClient> source;
  private final Consumer<String> report;
  private final HistoryWriter history;
  private final Registers registers;
  private final Map<String, CommandedHolder> holders = new ConcurrentHashMap<>();
  private final List<Workload> workloads = new CopyOnWriteArrayList<>();
  private final List<RecordingClient> clients = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  Actor(
      ActorSettings settings,
      Function<ClientSettings, LockClient> source,
      Consumer<String> report) {
    this.settings = settings;
    this.source = source;
    this.report = report;
    this.history = HistoryWriter.open(settings.directory(), settings.process());
    this.registers = Registers.open(settings.directory(), settings.locks());
  }

  void obey(String command) {
    String[] words = command.split(" ", 3);
    String id = words[1];
    switch (words[0]) {
      case "hold" -> hold(id, words[2].split(" ", -1));
      case "release" -> holder(id).letGo();
      case "close" -> holder(id).closeClient();
      case "work" -> work(id, WorkloadSpec.parse(words[2]));
      default -> throw new IllegalArgumentException("No such command: " + command);
    }
  }

  /** Lets everything be given back and waits for it. */
  void leave() throws InterruptedException {
    holders.values().forEach(CommandedHolder::letGo);
    join(settings.maxWait());
  }

  /** Closes every client, also one that is at work. */
  @Override
  public void close() {
    workloads.forEach(Workload::end);
    clients.forEach(RecordingClient::close);
    holders.values().forEach(CommandedHolder::letGo);
    try {
      join(settings.maxWait());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    history.close();
  }

  private void hold(String id, String[] words) {
    Optional<Duration> maxWait =
        words[1].equals(FOR_EVER)
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(Long.parseLong(words[1])));
    CommandedHolder holder =
        new CommandedHolder(
            connect(id),
            words[0],
            maxWait,
            Wanted.parse(words, 2),
            line -> report.accept(id + " " + line));
    holders.put(id, holder);
    start(id, holder::run);
  }

  private void work(String id, WorkloadSpec spec) {
    Workload workload = new Workload(id, spec, this::connect, settings.locks(), settings.maxWait());
    workloads.add(workload);
    start(
        id,
        () -> {
          workload.run(() -> report.accept(id + " begun"));
          report.accept(id + " worked");
        });
  }

  private CommandedHolder holder(String id) {
    return Optional.ofNullable(holders.get(id))
        .orElseThrow(() -> new IllegalArgumentException("No request has the id " + id));
  }

  private RecordingClient connect(String name) {
    RecordingClient client =
        RecordingClient.connect(
            new ClientTag(settings.process(), name),
            this::connectWhenReachable,
            settings.ttl(),
            history,
            registers);
    clients.add(client);
    return client;
  }

  /** A busy machine may answer too late for one call; what a run is about begins after that. */
  private LockClient connectWhenReachable(ClientSettings client) {
    long begun = System.nanoTime();
    while (true) {
      try {
        return source.apply(client);
      } catch (BackendUnreachableException e) {
        if (System.nanoTime() - begun >= settings.maxWait().toNanos()) {
          throw e;
        }
        LockSupport.parkNanos(BETWEEN_CONNECTS.toNanos());
      }
    }
  }

  private void start(String id, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (Throwable e) {
                report.accept(id + " failed " + e);
              }
            },
            settings.process() + "-" + id);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void join(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
    }
  }

  private interface Task {
    void run() throws InterruptedException;
  }
}
