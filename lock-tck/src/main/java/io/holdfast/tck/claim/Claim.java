package io.holdfast.tck.claim;

import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Wakeup;
import java.util.EnumSet;
import java.util.Set;

/** A claim that a store may make, and tests can refute. */
public enum Claim {
  /** {@link Wakeup#PUSH}. */
  PUSH("waiters are told when it is their turn"),
  /** {@link Order#FIFO}. */
  FIFO("waiters are served in the order in which they joined"),
  /** {@link Expiry#BY_OTHERS}. */
  ENDED_BY_OTHERS("a session that has lapsed lives until somebody ends it"),
  /** {@link Expiry#BY_STORE}. */
  ENDED_BY_STORE("the store ends sessions that have lapsed"),
  /** {@link io.holdfast.spi.ResumableSessions}. */
  RESUMABLE("who kept the id of a session can go on with it"),
  /** {@link Event#DELETION}. */
  TOKENS_SURVIVE_DELETION("tokens rise over the deletion of a free lock's record"),
  /** {@link Event#RESTART}. */
  TOKENS_SURVIVE_RESTART("tokens rise over a restart of the store"),
  /** {@link Event#FAIL_OVER}. */
  TOKENS_SURVIVE_FAIL_OVER("tokens rise when a replica takes over"),
  /** {@link Event#PARTIAL_LOSS}. */
  TOKENS_SURVIVE_PARTIAL_LOSS("tokens rise over the loss of the last writes"),
  /** {@link Event#TOTAL_LOSS}. */
  TOKENS_SURVIVE_TOTAL_LOSS("tokens rise over the loss of all data"),
  /** {@link Losses#NEVER}: what a restart could refute. */
  GRANTS_SURVIVE_RESTART("no grant is lost when the store starts again"),
  /** {@link Losses#NEVER}: what a fail-over could refute. */
  GRANTS_SURVIVE_FAIL_OVER("no grant is lost that only one server had heard of"),
  /** {@link Losses#GUARDED}. */
  GUARDED("after a loss nobody is granted anything while earlier leases run");

  private final String says;

  Claim(String says) {
    this.says = says;
  }

  /** Returns what it says, as a clause. */
  public String says() {
    return says;
  }

  /**
   * Returns what a store claims.
   *
   * @param embedded whether it lives in its clients' processes, and so has no other server
   * @param resumable whether it can go on with sessions
   */
  public static Set<Claim> of(Capabilities claimed, boolean embedded, boolean resumable) {
    Set<Claim> claims = EnumSet.noneOf(Claim.class);
    for (Event event : claimed.tokensSurvive()) {
      claims.add(tokensSurvive(event));
    }
    claims.add(claimed.expiry() == Expiry.BY_STORE ? ENDED_BY_STORE : ENDED_BY_OTHERS);
    if (claimed.wakeup() == Wakeup.PUSH) {
      claims.add(PUSH);
    }
    if (claimed.order() == Order.FIFO) {
      claims.add(FIFO);
    }
    if (resumable) {
      claims.add(RESUMABLE);
    }
    if (claimed.losses() == Losses.GUARDED) {
      claims.add(GUARDED);
    }
    if (claimed.losses() == Losses.NEVER) {
      claims.add(GRANTS_SURVIVE_RESTART);
      if (!embedded) {
        claims.add(GRANTS_SURVIVE_FAIL_OVER);
      }
    }
    return claims;
  }

  private static Claim tokensSurvive(Event event) {
    return switch (event) {
      case DELETION -> TOKENS_SURVIVE_DELETION;
      case RESTART -> TOKENS_SURVIVE_RESTART;
      case FAIL_OVER -> TOKENS_SURVIVE_FAIL_OVER;
      case PARTIAL_LOSS -> TOKENS_SURVIVE_PARTIAL_LOSS;
      case TOTAL_LOSS -> TOKENS_SURVIVE_TOTAL_LOSS;
    };
  }
}
