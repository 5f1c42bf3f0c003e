package io.holdfast.cli.waiting;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.cli.output.Messages;
import io.holdfast.cli.output.WaitingNote;
import io.holdfast.cli.run.Signals;
import io.holdfast.error.LockInterruptedException;
import java.util.Optional;
import java.util.function.Supplier;

/** A wait for a lock that a signal to this process ends. */
public record GrantWait(LockClient client, String name, Signals signals, Messages messages) {

  /**
   * Waits, and says so after a while.
   *
   * @param acquiring acquires the lock, and ends with {@link LockInterruptedException} if it is
   *     interrupted
   * @return the grant; empty if a signal is {@linkplain Signals#pending pending}, and then nothing
   *     is held
   */
  public Optional<Grant> acquire(Supplier<Grant> acquiring) {
    Grant grant;
    signals.beginWaiting();
    try (WaitingNote note = WaitingNote.start(client, name, messages)) {
      grant = acquiring.get();
    } catch (LockInterruptedException e) {
      if (signals.pending().isEmpty()) {
        throw e;
      }
      return Optional.empty();
    } finally {
      signals.endWaiting();
    }
    if (signals.pending().isPresent()) {
      grant.releaseUnused();
      return Optional.empty();
    }
    return Optional.of(grant);
  }
}
