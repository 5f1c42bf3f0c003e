package io.holdfast.memory.view;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On virtual threads, where the JDK has them. */
@Execution(ExecutionMode.CONCURRENT)
class LockViewOnVirtualThreadsTest extends LockViewContract {
  LockViewOnVirtualThreadsTest() {
    super(Threads.virtual());
  }
}
