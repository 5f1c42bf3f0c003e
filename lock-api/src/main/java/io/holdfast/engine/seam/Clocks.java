package io.holdfast.engine.seam;

import static java.util.Objects.requireNonNull;

import io.holdfast.engine.seam.Lease.Stamp;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How much time has passed for this process, also while its machine slept.
 *
 * <p>The monotonic clock may stand still while a machine sleeps, and the wall clock may be set, so
 * the one that says more counts. Over a whole lease a clock that was set back would hide a sleep;
 * so time is counted in ticks, and what counts is the sum of what either clock says of each. A tick
 * ends when a look finds that the clocks disagree, and with every {@link #tick}.
 *
 * <p>Thread-safe; a look costs nanoseconds.
 */
public final class Clocks {

  /** The wall clock tells milliseconds, and the two are not read at the same moment. */
  private static final long AGREEMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final int READINGS_MAX = 3;

  private final Seam seam;
  private final AtomicReference<Stamp> lastTick;

  public Clocks(Seam seam) {
    this.seam = seam;
    this.lastTick = new AtomicReference<>(read(0));
  }

  /** Returns the present. */
  public Stamp now() {
    return look(false);
  }

  /**
   * To be called often: a sleep and a step of the wall clock may only hide each other in a tick.
   */
  public void tick() {
    Stamp unused = look(true);
  }

  /** Returns how much time has passed since then, by the clock that says more. */
  public long nanosSince(Stamp then) {
    return then.nanosUntil(now());
  }

  private Stamp look(boolean ends) {
    while (true) {
      Stamp last = lastTick();
      Stamp reading = read(last.countedNanos());
      long monotonic = reading.nanos() - last.nanos();
      long wall = TimeUnit.MILLISECONDS.toNanos(reading.wallMillis() - last.wallMillis());
      boolean disagree = Math.abs(wall - monotonic) > AGREEMENT_NANOS;
      // Where they agree the finer one counts: roundings must not add up.
      long passed = disagree ? Math.max(wall, monotonic) : monotonic;
      Stamp now = reading.later(passed);
      boolean mayReturn =
          (ends || disagree) ? lastTick.compareAndSet(last, now) : lastTick().equals(last);
      if (mayReturn) {
        return now;
      } // Else a tick has ended meanwhile, of which this look must not know less.
    }
  }

  private Stamp lastTick() {
    return requireNonNull(lastTick.get());
  }

  /** A thread that is held up between the two clocks would take the delay for a sleep. */
  private Stamp read(long countedNanos) {
    for (int i = 1; ; i++) {
      long before = seam.nanos();
      long wall = seam.wallMillis();
      if (seam.nanos() - before < AGREEMENT_NANOS || i == READINGS_MAX) {
        return new Stamp(before, wall, countedNanos);
      }
    }
  }
}
