package io.holdfast.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.error.BadRequestException;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.view.LockView;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A view in a mode that the store does not have is refused when it is made, not when it is used.
 */
class StoreWithoutSharedModeTest {

  private static final class Exclusive extends InterceptedBackend {
    Exclusive(LockBackend target) {
      super(target);
    }

    @Override
    public Capabilities capabilities() {
      Capabilities all = super.capabilities();
      return new Capabilities(
          all.wakeup(),
          all.order(),
          all.expiry(),
          Set.of(LockMode.EXCLUSIVE),
          all.tokensSurvive(),
          all.losses());
    }
  }

  @Test
  void hasNoReadWriteLocks() {
    MemoryStore store = new MemoryStore("exclusive", MemoryOptions.DEFAULTS);
    try (LockClient client =
        Holdfast.builder().connect(new Exclusive(store.connect(BackendOptions.DEFAULTS)))) {
      assertThatThrownBy(() -> client.readWriteLock("a"))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("shared mode");
      assertThatThrownBy(() -> client.lock("a").asLock(AcquireOptions.forever().shared()))
          .isInstanceOf(BadRequestException.class);
      LockView view = client.lock("a").asLock();
      assertThat(view.tryLock()).isTrue();
      view.unlock();
    }
  }
}
