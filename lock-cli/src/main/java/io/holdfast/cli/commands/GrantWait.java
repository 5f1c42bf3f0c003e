package io.holdfast.cli.commands;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockInterruptedException;
import io.holdfast.cli.output.Messages;
import io.holdfast.cli.output.WaitingNote;
import io.holdfast.cli.run.Signals;
import java.util.Optional;

/** A wait for a lock that a signal to this process ends. */
record GrantWait(LockClient client, String name, Signals signals, Messages messages) {

  /**
   * Waits, and says so after a while.
   *
   * @return the grant; empty if a signal is {@linkplain Signals#pending pending}, and then nothing
   *     is held
   */
  Optional<Grant> acquire(AcquireOptions options) {
    Grant grant;
    signals.beginWaiting();
    try (WaitingNote note = WaitingNote.start(client, name, messages)) {
      grant = client.lock(name).acquire(options);
    } catch (LockInterruptedException e) {
      if (signals.pending().isEmpty()) {
        throw e;
      }
      return Optional.empty();
    } finally {
      signals.endWaiting();
    }
    if (signals.pending().isPresent()) {
      grant.release();
      return Optional.empty();
    }
    return Optional.of(grant);
  }
}
