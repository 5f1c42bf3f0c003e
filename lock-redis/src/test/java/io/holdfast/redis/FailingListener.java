package io.holdfast.redis;

import io.holdfast.LockName;
import io.holdfast.spi.HintListener;
import java.util.concurrent.atomic.AtomicBoolean;

/** A listener that cannot be told of a hint. */
final class FailingListener implements HintListener {

  final AtomicBoolean ended = new AtomicBoolean();

  @Override
  public void accept(LockName name) {
    throw new StackOverflowError("in a listener (test)");
  }

  @Override
  public void ended() {
    ended.set(true);
  }
}
