package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockName;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.turn.Turn;

/** The gate in front of a hold, as the hold sees it: where threads line up for its lock. */
public interface HoldGate {

  /** Returns the lock's name without the client's prefix. */
  LockName publicName();

  /** A grant of the hold was given back: it goes to the next in line, is kept, or leaves. */
  @GuardedBy("turn.lock")
  GivenBack givenBack(Hold hold, HeldGrant grant, Turn turn);

  /** The store has answered about the lock, under that session. */
  @GuardedBy("turn.lock")
  void answered(Session session, Turn turn);

  /** The hold was given back to the store, or is lost: the next in line may ask. */
  @GuardedBy("turn.lock")
  void vacated(Hold hold, Turn turn);

  /** The obstacle between the first in line and the hold may be gone. */
  @GuardedBy("turn.lock")
  void mayGoOn(Turn turn);
}
