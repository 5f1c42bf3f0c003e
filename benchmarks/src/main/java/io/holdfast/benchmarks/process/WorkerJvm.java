package io.holdfast.benchmarks.process;

import io.holdfast.tck.server.ShortLivedJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A JVM with one client of a store, as another process of an application would be. Small, and gone
 * when this JVM is.
 *
 * <p>All its answers are times of {@link System#nanoTime}. On Linux that is {@code
 * CLOCK_MONOTONIC}, the same clock in all processes of a machine, so times of two JVMs can be
 * subtracted.
 */
final class WorkerJvm implements AutoCloseable {

  /** A JVM that starts is busy with itself: more at once would be no sooner ready. */
  private static final int AT_ONCE = 2 * Runtime.getRuntime().availableProcessors();

  private final Process process;
  private final Writer orders;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<String, CompletableFuture<Long>> answers = new ConcurrentHashMap<>();
  private final CompletableFuture<Long> ready = new CompletableFuture<>();

  private WorkerJvm(Process process) {
    this.process = process;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
    this.answers.put(WorkerMain.READY, ready);
  }

  /**
   * Starts some, a few at the same time, and returns when all are connected.
   *
   * @param log the file to which they complain
   */
  static List<WorkerJvm> start(int count, String uri, Path log) throws IOException {
    List<WorkerJvm> workers = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        if (i >= AT_ONCE) {
          workers.get(i - AT_ONCE).ready.join();
        }
        workers.add(start(uri, log));
      }
      workers.forEach(worker -> worker.ready.join());
      return workers;
    } catch (IOException | RuntimeException e) {
      workers.forEach(WorkerJvm::close);
      throw e;
    }
  }

  private static WorkerJvm start(String uri, Path log) throws IOException {
    List<String> command = ShortLivedJvm.command(WorkerMain.class.getName(), "-Xmx64m");
    command.add(uri);
    WorkerJvm worker =
        new WorkerJvm(
            new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    Thread reader = new Thread(worker::read, "answers-of-" + worker.process.pid());
    reader.setDaemon(true);
    reader.start();
    return worker;
  }

  /** Returns when it had received this line. */
  CompletableFuture<Long> ping() {
    return order("ping");
  }

  /** Returns when it held the lock. */
  CompletableFuture<Long> acquire(String lock, Duration ttl) {
    return order("acquire " + lock + " " + ttl.toMillis());
  }

  /** Returns when it began to give the lock back. */
  CompletableFuture<Long> release(String lock) {
    return order("release " + lock);
  }

  private CompletableFuture<Long> order(String words) {
    String id = Integer.toString(ids.incrementAndGet());
    CompletableFuture<Long> answer = new CompletableFuture<>();
    answers.put(id, answer);
    try {
      synchronized (orders) {
        orders.write(id + " " + words + "\n");
        orders.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answer;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(this::answered);
    } catch (IOException | UncheckedIOException e) {
      // It was killed; what it has not answered fails below.
    }
    answers.values().forEach(answer -> answer.completeExceptionally(ended()));
  }

  private void answered(String line) {
    String[] words = line.split(" ", 2);
    Optional.ofNullable(answers.remove(words[0]))
        .ifPresent(
            answer -> {
              if (words[1].startsWith(WorkerMain.FAILED)) {
                answer.completeExceptionally(new IllegalStateException(line));
              } else {
                answer.complete(Long.parseLong(words[1]));
              }
            });
  }

  private IllegalStateException ended() {
    return new IllegalStateException("The JVM " + process.pid() + " has ended.");
  }

  /** Kills it with SIGKILL. Returns when that began. */
  long kill() {
    long begun = System.nanoTime();
    process.destroyForcibly();
    return begun;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
