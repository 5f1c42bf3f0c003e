package io.holdfast.tck.rules.record;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.record.Holder;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/**
 * A request's own texts (process, reason, payload) stay with it through every step that writes it
 * again in another place or form.
 */
@Topic(value = "WRD", level = Level.CORE, clause = "LockBackend.inspect")
public interface RequestWordsRules extends SpiRules {

  private static Request speaking(Request request, String who) {
    return request
        .with(new ProcessIdentity(who + "'s host:1"))
        .why("why; " + who + ":\n\"so\"")
        .with(Payload.ofText("payload|of " + who));
  }

  private void requireHeldBy(Request request) {
    Holder holder = fixture().client().holder(LOCK);
    assertThat(holder.request()).as("who holds %s", LOCK).isEqualTo(request.id());
    assertThat(holder.process()).as("the process of %s", holder).isEqualTo(request.process());
    assertThat(holder.why()).as("the reason of %s", holder).isEqualTo(request.why());
    assertThat(holder.payload()).as("the payload of %s", holder).isEqualTo(request.payload());
  }

  @Test
  @Rule("HF-WRD-01")
  default void whatAHolderSaysStaysOverADowngrade() {
    fixture().requireSharedMode();
    SpiClient client = fixture().client();
    Held held = client.hold(speaking(client.request(LOCK), "reader"));
    SpiClient other = fixture().client();
    other.queue(LOCK);

    client.downgrade(held);

    requireHeldBy(held.request());
  }

  @Test
  @Rule("HF-WRD-02")
  default void whatAHolderSaysStaysWhenItIsRevoked() {
    SpiClient client = fixture().client();
    Held held = client.hold(speaking(client.request(LOCK), "revoked"));
    SpiClient other = fixture().client();
    other.queue(LOCK);

    other.revoke(held.observed(), RevokeWhen.SAFELY);

    requireHeldBy(held.request());
  }

  @Test
  @Rule("HF-WRD-03")
  default void whatAHolderSaysStaysWithWhatItLeaves() {
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient client = fixture().client();
    Held held = client.hold(speaking(client.request(LOCK), "owner"));

    client.releaseAfter(held.request(), LONG);

    requireHeldBy(held.request());
  }

  /** By one that waits, and by one that comes new. */
  @Test
  @Rule("HF-WRD-04")
  default void whatARequestSaysStaysWhenItOvertakes() {
    SpiClient waiter = fixture().client();
    SpiClient first = fixture().client();
    Held dead = first.hold(speaking(first.request(LOCK), "dead"));
    Request waits = speaking(waiter.request(LOCK).with(IfHeld.QUEUE), "waiter");
    assertThat(waiter.grab(waits)).isInstanceOf(Attempt.Queued.class);
    first.closeSession();

    waiter.overtake(waits, dead.observed());

    Held now = waiter.holding(waits);
    requireHeldBy(waits);
    waiter.release(now);

    SpiClient second = fixture().client();
    Held deadToo = second.hold(LOCK);
    second.closeSession();
    Request comes = speaking(waiter.request(LOCK), "newcomer");
    // A store that ends sessions by itself has none to be overtaken.
    if (!(waiter.overtake(comes, deadToo.observed()) instanceof Attempt.Granted)) {
      waiter.hold(comes);
    }
    requireHeldBy(comes);
  }

  /** Its stay begins with the first overtake. */
  @Test
  @Rule("HF-WRD-05")
  default void whatADeadHolderSaysStaysInItsLockDelay() {
    fixture().requireStays(Stays.LOCK_DELAY);
    SpiClient other = fixture().client();
    SpiClient client = fixture().client();
    Held held = client.hold(speaking(client.request(LOCK), "dead").lockDelay(LONG));
    client.closeSession();

    other.overtake(other.request(LOCK), held.observed());

    requireHeldBy(held.request());
  }

  /** The next one in line, and those who share it, after a release. */
  @Test
  @Rule("HF-WRD-06")
  default void whatARequestSaysStaysOverAHandOver() {
    fixture().requireSharedMode();
    SpiClient client = fixture().client();
    Held held = client.hold(speaking(client.request(LOCK), "first"));
    Request shares = speaking(client.sharedRequest(LOCK).with(IfHeld.QUEUE), "sharer");
    Request sharesToo = speaking(client.sharedRequest(LOCK).with(IfHeld.QUEUE), "other sharer");
    Request last = speaking(client.request(LOCK).with(IfHeld.QUEUE), "last");
    client.grab(shares);
    client.grab(sharesToo);
    client.grab(last);

    client.release(held);
    requireHeldBy(shares);
    client.release(shares);
    requireHeldBy(sharesToo);
    client.release(sharesToo);
    requireHeldBy(last);
  }
}
