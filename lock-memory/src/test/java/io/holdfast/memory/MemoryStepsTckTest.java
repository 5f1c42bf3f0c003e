package io.holdfast.memory;

import io.holdfast.memory.MemoryOptions.HandOver;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.Tag;

/** The reference backend passes also if clients poll and hand over in several steps. */
@Adapter("memory")
@SharedServer(disturbedBy = {})
@Tag("long")
class MemoryStepsTckTest extends HoldfastTck {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore(MemoryOptions.DEFAULTS.wakeup(Wakeup.POLL).handOver(HandOver.STEPS));
  }
}
