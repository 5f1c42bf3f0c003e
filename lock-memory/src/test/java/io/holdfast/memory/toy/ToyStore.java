package io.holdfast.memory.toy;

import io.holdfast.memory.toy.ToyEntry.Kind;
import io.holdfast.memory.toy.ToyState.Place;
import io.holdfast.tck.process.client.SharedLog;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A store for processes of one machine, small enough to be right: a log of steps that every client
 * follows for itself. Its clock is the machine's monotonic one. Thread-safe.
 */
final class ToyStore {

  private static final int ENTRIES_MAX = 1 << 20;

  private final Path file;
  private final SharedLog log;
  private final ToyState state;
  private int next;

  ToyStore(Path file, Flaw flaw) {
    this.file = file;
    this.log = SharedLog.open(file, ENTRIES_MAX);
    this.state = new ToyState(flaw);
  }

  /** Returns the time, in as many bits as an entry has for it. */
  static long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) & 0xffff_ffffL;
  }

  /** Does a step and returns its place in the log. */
  synchronized int step(Kind kind, int lock, int session, long data) {
    ToyEntry entry = new ToyEntry(kind, lock, session, data);
    do {
      follow();
    } while (!log.put(next, entry.toLong()));
    int index = next;
    follow();
    return index;
  }

  /** Removes what has kept a lock for its time. */
  void clear(int lock) {
    long now = nowMillis();
    if (read(state -> state.hasStayed(lock, now))) {
      step(Kind.CLEAR, lock, 0, now);
    }
  }

  synchronized <T> T read(Function<ToyState, T> question) {
    follow();
    return question.apply(state);
  }

  /** Writes a request's reason beside the log. */
  void tellWhy(int session, long request, String why) {
    // Not Files.writeString: it gives up when the thread is interrupted.
    try (OutputStream out = new FileOutputStream(whyFile(session, request).toFile())) {
      out.write(why.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String why(Place place) {
    try {
      return Files.readString(whyFile(place.session(), place.request()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path whyFile(int session, long request) {
    return Path.of("%s.%d-%d".formatted(file, session, request));
  }

  private void follow() {
    for (long entry = log.get(next); entry != 0; entry = log.get(next)) {
      state.apply(next, ToyEntry.of(entry));
      next++;
    }
  }
}
