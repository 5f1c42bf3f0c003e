package io.holdfast.memory.view;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On platform threads. */
@Execution(ExecutionMode.CONCURRENT)
class LockViewContractTest extends LockViewContract {
  LockViewContractTest() {
    super(Threads.platform());
  }
}
