package io.holdfast.memory;

import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.Tag;

/** The reference backend passes also where it ends sessions by itself. */
@Adapter("memory")
@SharedServer(disturbedBy = {})
@Tag("long")
class MemoryExpiryTckTest extends HoldfastTck {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore(MemoryOptions.DEFAULTS.expiry(Expiry.BY_STORE));
  }
}
