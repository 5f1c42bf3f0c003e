package io.holdfast.memory.view;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On virtual threads, where the JDK has them. */
@Execution(ExecutionMode.CONCURRENT)
class ReadWriteLockViewOnVirtualThreadsTest extends ReadWriteLockViewContract {
  ReadWriteLockViewOnVirtualThreadsTest() {
    super(Threads.virtual());
  }
}
