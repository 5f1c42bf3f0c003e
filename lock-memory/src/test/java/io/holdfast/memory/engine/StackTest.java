package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.faults.InterceptedBackend;
import java.lang.StackWalker.StackFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reader of one acquire, and a debugger in it, passes few frames in few files. */
class StackTest {

  private static final int FRAMES_MAX = 12;
  private static final int FILES_MAX = 6;

  /** Remembers how it was called. */
  private static final class Observed extends InterceptedBackend {
    final List<StackFrame> grab = new ArrayList<>();
    final List<StackFrame> release = new ArrayList<>();

    Observed(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      remember(grab);
      return super.grab(request, deadline);
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      remember(release);
      return super.release(name, request, deadline);
    }

    /** The frames between this class and the test. */
    private static void remember(List<StackFrame> frames) {
      frames.clear();
      StackWalker.getInstance()
          .walk(
              all ->
                  all.dropWhile(frame -> frame.getClassName().startsWith(Observed.class.getName()))
                      .takeWhile(frame -> !frame.getClassName().equals(StackTest.class.getName()))
                      .toList())
          .forEach(frames::add);
    }
  }

  @Test
  void anUncontendedAcquireAndItsReleaseReachTheStoreInFewFramesAndFiles() {
    Observed store =
        new Observed(
            new MemoryStore("stack", MemoryOptions.DEFAULTS).connect(BackendOptions.DEFAULTS));
    try (LockClient client = Holdfast.builder().connect(store)) {
      client.lock("a").acquire().release(); // Opens the session.
      Grant grant = client.lock("a").acquire(Duration.ofSeconds(5));
      grant.release();
    }
    assertThat(store.grab).hasSizeBetween(2, FRAMES_MAX);
    assertThat(files(store.grab)).hasSizeLessThanOrEqualTo(FILES_MAX);
    assertThat(store.release).hasSizeBetween(2, FRAMES_MAX);
    assertThat(files(store.release)).hasSizeLessThanOrEqualTo(FILES_MAX);
  }

  private static List<String> files(List<StackFrame> frames) {
    return frames.stream().map(StackFrame::getFileName).distinct().toList();
  }
}
