package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.error.StaleTokenException;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/**
 * The writes that a resource lets in which remembers the greatest tokens: one mark for those who
 * hold alone, one for those who share. The numbers are those of real tokens, which exceed
 * 2<sup>53</sup>.
 */
@Topic(value = "FMA", level = Level.CORE, clause = "docs/fencing.md")
public interface FencingMarkRules {

  /** The number of the first grant of these rules. */
  long FIRST = 1_790_000_000_000_000L;

  /**
   * Writes a value for a holder that shows its sequencer.
   *
   * @throws StaleTokenException if the resource refuses that
   */
  void write(Sequencer sequencer, String value) throws Exception;

  /** Returns the value that was written last. */
  String read() throws Exception;

  private static Sequencer holder(LockMode mode, long grant, int local) {
    return new Sequencer(
        new LockName("orders/42"), mode, FencingToken.of(Math.addExact(FIRST, grant), local));
  }

  private void assertRefused(Sequencer sequencer) throws Exception {
    String before = read();
    assertThatThrownBy(() -> write(sequencer, "stale"))
        .as("a write with %s", sequencer)
        .isInstanceOf(StaleTokenException.class)
        .hasMessageContaining("orders/42")
        .hasMessageContaining(sequencer.token().toString());
    assertThat(read()).as("what was written last").isEqualTo(before);
  }

  @Test
  @Rule("HF-FMA-01")
  default void aSmallerTokenIsRefusedOnceAGreaterOneWasLetIn() throws Exception {
    Sequencer first = holder(LockMode.EXCLUSIVE, 1, 0);
    Sequencer passedOn = holder(LockMode.EXCLUSIVE, 1, 1);
    Sequencer next = holder(LockMode.EXCLUSIVE, 2, 0);
    write(first, "one");
    write(first, "two");
    write(passedOn, "three");
    assertRefused(first);
    write(next, "four");

    assertRefused(first);
    assertRefused(passedOn);
    write(next, "five");

    assertThat(read()).isEqualTo("five");
  }

  @Test
  @Rule("HF-FMA-02")
  default void thoseWhoShareComeInAnyOrderAndKeepOlderWritersOut() throws Exception {
    write(holder(LockMode.EXCLUSIVE, 1, 0), "a writer");
    write(holder(LockMode.SHARED, 3, 7), "the younger one of those who share");
    write(holder(LockMode.SHARED, 2, 0), "the older one");

    assertRefused(holder(LockMode.EXCLUSIVE, 1, 0));
    assertRefused(holder(LockMode.EXCLUSIVE, 3, 7));
    write(holder(LockMode.EXCLUSIVE, 4, 0), "the next writer");
    assertRefused(holder(LockMode.SHARED, 3, 7));
    write(holder(LockMode.SHARED, 4, 0), "the same one after a downgrade that kept its number");
    assertRefused(holder(LockMode.EXCLUSIVE, 4, 0));
  }

  @Test
  @Rule("HF-FMA-03")
  default void thoseWhoShareMayBeTheFirst() throws Exception {
    write(holder(LockMode.SHARED, 2, 0), "one who shares");

    assertRefused(holder(LockMode.EXCLUSIVE, 1, 0));
    write(holder(LockMode.SHARED, 1, 0), "another one");
  }
}
