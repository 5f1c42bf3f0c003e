package io.holdfast.engine.turn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Something that happens often and is seldom waited for: while it is not, it costs nothing. */
public final class Signal {

  private @Nullable CompletableFuture<Boolean> awaited;

  /** Returns a future that is completed when it happens next. */
  @GuardedBy("turn.lock")
  public CompletableFuture<Boolean> next(Turn turn) {
    CompletableFuture<Boolean> next = awaited;
    if (next == null) {
      next = new CompletableFuture<>();
      awaited = next;
    }
    return next;
  }

  /** It happens. */
  @GuardedBy("turn.lock")
  public void happens(Turn turn) {
    CompletableFuture<Boolean> now = awaited;
    if (now != null) {
      awaited = null;
      turn.complete(now, true);
    }
  }
}
