package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.ZookeeperLockProvider;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests of queues that others fill, and of what a client sends meanwhile. */
public abstract class ZooQueueTestBase {

  protected static final LockName LOCK = new LockName("a");
  protected static final String QUEUE = new Paths("/holdfast").queue(LOCK);

  private static final int SENT_AT_ONCE = 500;

  @TempDir private Path directory;
  private CountedServer server;

  /** A client of others. */
  protected ZooKeeper others;

  /** What the backend sends. */
  protected ZooRequests requests;

  protected LockBackend backend;

  @BeforeEach
  final void start() throws Exception {
    server = new CountedServer(directory.resolve("data"));
    others = new ZooKeeper(server.address(), 60_000, event -> {});
    requests = new ZooRequests(server.port(), server.tick());
    backend =
        new ZookeeperLockProvider()
            .connect(requests.uri(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  final void stop() throws Exception {
    backend.close();
    others.close();
    requests.close();
    server.close();
  }

  protected final SpiClient client() {
    return SpiClient.open(backend, StoreFixture.LONG);
  }

  /** Sends requests of another session to the queue. Each is told when it is there. */
  protected final void send(
      SessionId session, LockMode mode, int count, Consumer<RequestNode> made) {
    for (int from = 0; from < count; from += SENT_AT_ONCE) {
      List<Request> requests =
          IntStream.range(from, Math.min(count, from + SENT_AT_ONCE))
              .mapToObj(i -> request(session, mode, i))
              .toList();
      others.multi(
          requests.stream().map(ZooQueueTestBase::creation).toList(),
          (code, path, context, results) -> {
            for (int i = 0; i < requests.size(); i++) {
              String name = ((OpResult.CreateResult) results.get(i)).getPath();
              made.accept(RequestNode.made(name, requests.get(i)));
            }
          },
          null);
    }
  }

  private static Request request(SessionId session, LockMode mode, int i) {
    return Request.of(
            LOCK, new RequestId(session, Long.MAX_VALUE - i), new ProcessIdentity("other:1"))
        .with(mode);
  }

  private static Op creation(Request request) {
    return Op.create(
        RequestNode.wanted(QUEUE, request),
        RequestData.of(request).encode(),
        Ids.OPEN_ACL_UNSAFE,
        CreateMode.EPHEMERAL_SEQUENTIAL);
  }
}
