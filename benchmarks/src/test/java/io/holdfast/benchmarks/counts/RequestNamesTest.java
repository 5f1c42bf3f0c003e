package io.holdfast.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

class RequestNamesTest {

  @Test
  void zookeepersOperationsHaveNames() {
    assertThat(RequestNames.zookeeper(zookeeper(ZooDefs.OpCode.create2))).contains("create");
    assertThat(RequestNames.zookeeper(zookeeper(4711))).contains("operation 4711");
  }

  private static ByteBuffer zookeeper(int operation) {
    return ByteBuffer.allocate(12).putInt(8).putInt(1).putInt(operation).flip();
  }

  @Test
  void mongosCommandsAreTheirFirstField() {
    assertThat(RequestNames.mongo(mongo("findAndModify"))).contains("findAndModify");
  }

  /** Sent by the driver on its own, and more often on a slow machine. */
  @Test
  void mongosMonitoringHasNoName() {
    assertThat(RequestNames.mongo(mongo("hello"))).isEmpty();
  }

  /** Header, flags, kind of section, length and type of the first field, and its name. */
  private static ByteBuffer mongo(String command) {
    byte[] name = command.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(64)
        .put(new byte[16])
        .put(new byte[4 + 1 + 4 + 1])
        .put(name)
        .put((byte) 0)
        .putInt(1)
        .flip();
  }
}
