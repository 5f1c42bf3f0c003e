package io.holdfast.tck.memory;

import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.memory.MemoryOptions.HandOver;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.Nested;

/** The reference backend passes: pushing or polling, in one step or several, ending or not. */
class MemoryTckTest {

  @Nested
  class PushingInOneStep extends HoldfastTck {
    @Override
    protected TckStore openStore() {
      return new MemoryTckStore(MemoryOptions.DEFAULTS);
    }
  }

  @Nested
  class EndingSessions extends HoldfastTck {
    @Override
    protected TckStore openStore() {
      return new MemoryTckStore(MemoryOptions.DEFAULTS.expiry(Expiry.BY_STORE));
    }
  }

  @Nested
  class PollingInSteps extends HoldfastTck {
    @Override
    protected TckStore openStore() {
      return new MemoryTckStore(
          MemoryOptions.DEFAULTS.wakeup(Wakeup.POLL).handOver(HandOver.STEPS));
    }
  }
}
