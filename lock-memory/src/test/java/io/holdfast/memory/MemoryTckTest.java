package io.holdfast.memory;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;

/** The reference backend passes: pushing hints, and handing over in one step. */
@SharedServer(disturbedBy = {})
@Adapter("memory")
class MemoryTckTest extends HoldfastTck {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore(MemoryOptions.DEFAULTS);
  }
}
