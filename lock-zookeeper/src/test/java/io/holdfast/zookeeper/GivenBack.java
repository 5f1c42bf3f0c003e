package io.holdfast.zookeeper;

import io.holdfast.LockName;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;

/** A lock that has a queue, but that the client under test is not the last to have given back. */
final class GivenBack {

  private GivenBack() {}

  static void by(LockBackend another, LockName name) {
    try (another) {
      SpiClient client = SpiClient.open(another, StoreFixture.LONG);
      client.release(client.hold(name));
      client.closeSession();
    }
  }
}
