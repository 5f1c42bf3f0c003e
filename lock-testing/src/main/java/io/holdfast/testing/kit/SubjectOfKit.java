package io.holdfast.testing.kit;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** What {@link KitRun} runs the kit on. Not named as a test, so that nothing else runs it. */
@SharedServer(disturbedBy = {})
final class SubjectOfKit extends HoldfastTck {

  /** Set for the time of a run, which is on the thread that sets it. */
  static final ThreadLocal<Supplier<TckStore>> STORE = new ThreadLocal<>();

  @Override
  protected TckStore openStore() {
    Supplier<TckStore> store = STORE.get();
    Assumptions.assumeTrue(store != null, "Run by KitRun only.");
    return store.get();
  }
}
