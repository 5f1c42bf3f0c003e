package io.holdfast.engine.gate;

import io.holdfast.AcquireOptions;
import io.holdfast.AcquireOptions.Interrupts;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.engine.hold.Terms;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.error.HoldfastException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller's place in front of a gate. */
public final class Ticket {

  public final AcquireOptions options;
  final Duration ttl;
  final Terms terms;

  /** The thread that waits for it; null if none does. */
  final @Nullable Thread owner;

  public final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  /** Its neighbours in the line of its gate, which alone links them. Guarded by the turn. */
  @Nullable Ticket before;

  @Nullable Ticket after;

  /** The gate whose line it has joined: it has an outcome once it is not there any more. */
  private volatile @Nullable Gate gate;

  /** The place of the calling thread, which waits for its outcome. */
  public Ticket(AcquireOptions options, Duration ttl) {
    this(options, ttl, Thread.currentThread());
  }

  /** A place for which no thread waits. */
  public static Ticket ofNoThread(AcquireOptions options, Duration ttl) {
    return new Ticket(options, ttl, null);
  }

  private Ticket(AcquireOptions options, Duration ttl, @Nullable Thread owner) {
    this.owner = owner;
    this.options = options;
    this.ttl = ttl;
    this.terms = new Terms(options, ttl);
  }

  /** It joins the line of a gate. */
  void joins(Gate joined) {
    gate = joined;
  }

  /** Returns the gate whose line it has joined; empty if it has its outcome without that. */
  public Optional<Gate> gate() {
    return Optional.ofNullable(gate);
  }

  boolean isOnce() {
    return options.maxWait().isPresent() && options.maxWait().get().isZero();
  }

  /** Whether a thread waits for its outcome, so that their number bounds that of such tickets. */
  boolean isOfAThread() {
    return owner != null;
  }

  public boolean heedsInterrupts() {
    return options.interrupts() == Interrupts.END_THE_WAIT;
  }

  /**
   * Where the calls are made for it: on the caller's thread if that waits for them, unless an
   * interrupt would break them.
   */
  Runner runner() {
    return isOfAThread() && heedsInterrupts() ? Runner.CALLER : Runner.BACKGROUND;
  }

  /** The end of a ticket. */
  public sealed interface Outcome {}

  /** The caller holds the lock. */
  public record Acquired(HeldGrant grant) implements Outcome {}

  /** The caller did not get the lock, within the time that it was ready to wait. */
  public record NotAcquired(String why) implements Outcome {}

  /** Something went wrong; nothing is held. */
  public record Failed(HoldfastException failure) implements Outcome {}
}
