package io.holdfast.testing.kit;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;

/**
 * The subject on which {@link KitRun} runs the kit. Not named as a test, so that nothing else runs
 * it.
 */
@SharedServer(disturbedBy = {})
final class SubjectOfKit extends HoldfastTck {

  private final Supplier<TckStore> store;

  SubjectOfKit(Supplier<TckStore> store) {
    this.store = store;
  }

  @Override
  protected TckStore openStore() {
    return store.get();
  }

  /** Executes a rule, and throws what it throws. */
  void execute(Method rule) throws Throwable {
    try {
      play(rule);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
