package io.holdfast.benchmarks.counts;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs;

/** Reads from the bytes of requests what they ask for. */
final class RequestNames {

  /** After the length and the request's number. */
  private static final int ZOOKEEPER_OPERATION = 8;

  /**
   * After the header, the flags, the kind of section, the length and the type of its first field.
   */
  private static final int MONGO_COMMAND = 16 + 4 + 1 + 4 + 1;

  /** The driver's own, to see whether the server is there. */
  private static final String MONGO_MONITORING = "hello";

  private RequestNames() {}

  static Optional<String> zookeeper(ByteBuffer request) {
    int operation = request.getInt(request.position() + ZOOKEEPER_OPERATION);
    return Optional.of(
        switch (operation) {
          case ZooDefs.OpCode.create, ZooDefs.OpCode.create2 -> "create";
          case ZooDefs.OpCode.createContainer -> "createContainer";
          case ZooDefs.OpCode.delete -> "delete";
          case ZooDefs.OpCode.exists -> "exists";
          case ZooDefs.OpCode.getData -> "getData";
          case ZooDefs.OpCode.setData -> "setData";
          case ZooDefs.OpCode.getChildren, ZooDefs.OpCode.getChildren2 -> "getChildren";
          case ZooDefs.OpCode.sync -> "sync";
          case ZooDefs.OpCode.multi -> "multi";
          case ZooDefs.OpCode.multiRead -> "multiRead";
          case ZooDefs.OpCode.closeSession -> "closeSession";
          default -> "operation " + operation;
        });
  }

  static Optional<String> mongo(ByteBuffer request) {
    StringBuilder name = new StringBuilder();
    for (int at = request.position() + MONGO_COMMAND; at < request.limit(); at++) {
      byte next = request.get(at);
      if (next == 0) {
        return name.toString().equals(MONGO_MONITORING)
            ? Optional.empty()
            : Optional.of(name.toString());
      }
      name.append((char) next);
    }
    return Optional.empty();
  }
}
