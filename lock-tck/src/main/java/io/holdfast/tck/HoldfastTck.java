package io.holdfast.tck;

import io.holdfast.tck.client.ClientRules;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.GrabRules;
import io.holdfast.tck.rules.OvertakeRules;
import io.holdfast.tck.rules.QueueRules;
import io.holdfast.tck.rules.SessionRules;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The proof of an adapter. Its test tree extends this class by one that says how to get an empty
 * store; the rules are in the interfaces, one a topic.
 *
 * <pre>{@code
 * class SqliteTckTest extends HoldfastTck {
 *   @TempDir Path directory;
 *
 *   @Override
 *   protected TckStore openStore() {
 *     return new SqliteTckStore(directory.resolve("locks.db"));
 *   }
 * }
 * }</pre>
 */
public abstract class HoldfastTck
    implements SessionRules, GrabRules, QueueRules, OvertakeRules, ClientRules {

  private Bench bench;

  /** Returns an empty namespace, for one test, which closes it. */
  protected abstract TckStore openStore() throws Exception;

  @BeforeEach
  final void openBench() throws Exception {
    bench = new Bench(openStore());
  }

  @AfterEach
  final void closeBench() throws Exception {
    bench.close();
  }

  @Override
  public final Bench bench() {
    return bench;
  }
}
