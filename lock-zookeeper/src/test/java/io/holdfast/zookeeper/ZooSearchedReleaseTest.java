package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.ProcessIdentity;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.queue.ZooQueueTestBase;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A release by a client that does not remember where the request stands: what it finds may have
 * changed until it deletes.
 */
@Tag("server")
class ZooSearchedReleaseTest extends ZooQueueTestBase {

  private static final int STEPS_MAX = 20;

  private final StepAction at = new StepAction();
  private LockBackend another;

  @BeforeEach
  void connect() {
    another =
        ZookeeperLockProvider.connect(
            requests.uri(), BackendOptions.DEFAULTS, at, StoreFixture.soon());
  }

  @AfterEach
  void disconnect() {
    another.close();
  }

  /** The holder leaves before one step after the other, as long as the release has that many. */
  @Test
  void whoHoldsByTheTimeThatItLeavesDoesNotSayThatItWaited() {
    boolean reached = true;
    for (int step = 1; reached; step++) {
      SpiClient holder = client();
      Held held = holder.hold(LOCK);
      SpiClient waiter = client();
      Request waits = waiter.queue(LOCK);
      List<Released> told = new ArrayList<>();
      at.arm(step, () -> told.add(holder.release(held)));

      Released left = waiter.on(another).release(waits);
      reached = at.disarm();

      if (told.equals(List.of(Released.HANDED_ON))) {
        assertThat(left).as("the second, which the lock was handed to").isEqualTo(Released.FREED);
      }
      if (!reached) {
        assertThat(left).isEqualTo(Released.WAS_WAITING);
        holder.release(held);
      }
      holder.requireFree(LOCK);
      assertThat(step).isLessThan(STEPS_MAX);
    }
  }

  /** Another copy of the grab may remove the node that counts for nothing at the same time. */
  @Test
  void whoseSecondNodeWasRemovedByAnotherHasFreedTheLock() throws Exception {
    boolean reached = true;
    for (int step = 1; reached; step++) {
      SpiClient client = client();
      Held held = client.hold(LOCK);
      String copy = copyOf(held.request());
      at.arm(step, () -> delete(copy));

      Released left = client.on(another).release(held);
      reached = at.disarm();

      assertThat(left).as("release whose copy goes before step %d", step).isEqualTo(Released.FREED);
      client.requireFree(LOCK);
      assertThat(step).isLessThan(STEPS_MAX);
    }
  }

  /** Else the request would stand further behind in between, and there if the client died. */
  @Test
  void aRequestThatStandsTwiceLeavesWithItsFirstNode() throws Exception {
    boolean reached = true;
    for (int step = 1; reached; step++) {
      SpiClient client = client();
      Held held = client.hold(LOCK);
      String first = nodes().get(0);
      String copy = copyOf(held.request());
      at.arm(
          step,
          () -> {
            List<String> nodes = nodes();
            assertThat(nodes.contains(first) || !nodes.contains(copy))
                .as("the first is there or both are gone: %s", nodes)
                .isTrue();
          });

      client.on(another).release(held);
      reached = at.disarm();

      client.requireFree(LOCK);
      assertThat(step).isLessThan(STEPS_MAX);
    }
  }

  /** Makes a second node for a request, as a create does that arrives twice. */
  private String copyOf(Request request) throws KeeperException, InterruptedException {
    return others.create(
        RequestNode.wanted(QUEUE, Request.of(LOCK, request.id(), new ProcessIdentity("copy:1"))),
        RequestData.of(request).encode(),
        Ids.OPEN_ACL_UNSAFE,
        CreateMode.EPHEMERAL_SEQUENTIAL);
  }

  private List<String> nodes() {
    try {
      return others.getChildren(QUEUE, false).stream().map(name -> QUEUE + "/" + name).toList();
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void delete(String path) {
    try {
      others.delete(path, -1);
    } catch (KeeperException.NoNodeException gone) {
      // The release was faster.
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
