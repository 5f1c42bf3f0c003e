package io.holdfast.tck.mutants;

import io.holdfast.LockName;
import io.holdfast.spi.HintListener;
import java.util.function.Predicate;

/** Is told the hints of some locks only. */
record HintsOf(Predicate<LockName> wanted, HintListener listener) implements HintListener {

  @Override
  public void accept(LockName name) {
    if (wanted.test(name)) {
      listener.accept(name);
    }
  }

  @Override
  public void ended() {
    listener.ended();
  }
}
