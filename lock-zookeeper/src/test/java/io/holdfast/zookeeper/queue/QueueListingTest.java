package io.holdfast.zookeeper.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Request;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class QueueListingTest {

  private static final SessionId SESSION = SessionId.fresh();

  private static Request request(long serial) {
    return Request.of(
        new LockName("a"), new RequestId(SESSION, serial), new ProcessIdentity("host:1"));
  }

  /** The name that ZooKeeper gives it. */
  private static String node(long serial, int sequence) {
    String wanted = RequestNode.wanted("/q", request(serial));
    return wanted.substring("/q/".length()) + String.format(Locale.ENGLISH, "%010d", sequence);
  }

  private static List<Long> serials(String... nodes) {
    return places(nodes).inOrder().stream().map(place -> place.request().serial()).toList();
  }

  private static QueueListing places(String... nodes) {
    return new QueueListing(RequestNode.among("/q", List.of(nodes)));
  }

  @Test
  void aQueueIsInTheOrderOfItsCount() {
    assertThat(serials(node(1, 10), node(2, 9), node(3, 100))).containsExactly(2L, 1L, 3L);
  }

  /** ZooKeeper's count is a number of 32 bits, and stops at the greatest, or turns below zero. */
  @Test
  void whatIsPastTheEndOfTheCountStandsInNoQueue() {
    assertThat(
            serials(
                node(1, RequestNode.END - 1),
                node(2, RequestNode.END),
                node(3, Integer.MAX_VALUE),
                node(4, Integer.MIN_VALUE)))
        .containsExactly(1L);
  }

  @Test
  void aLevelStandsBelowTheOneBefore() {
    RequestNode first = RequestNode.of("/q/" + node(1, 9)).orElseThrow();
    RequestNode next = RequestNode.of(QueueListing.next("/q") + "/" + node(2, 0)).orElseThrow();

    assertThat(new QueueListing(List.of(next, first)).inOrder()).containsExactly(first, next);
    assertThat(next.isBefore(first)).isFalse();
  }

  @Test
  void aRequestThatStandsInAQueueTwiceCountsWhereItStandsFirst() {
    String[] nodes = {node(1, 7), node(2, 5), node(1, 4)};

    assertThat(serials(nodes)).containsExactly(1L, 2L);
    assertThat(places(nodes).of(request(1).id()))
        .extracting(RequestNode::sequence)
        .containsExactly(4, 7);
  }

  @Test
  void whatIsNoRequestIsPassedOver() {
    assertThat(serials("x", "lock-0000000001", node(1, 3) + "x")).isEmpty();
  }

  @Test
  void aNameIsReadBackFromItsNode() {
    Paths paths = new Paths("/p");
    for (String text : List.of("orders/42", "ä😀", ".", "..", "a%2Fb", "zookeeper", "A b-_.")) {
      LockName name = new LockName(text);
      assertThat(paths.nameAt(paths.queue(name) + "/" + node(1, 1))).contains(name);
      assertThat(paths.nameAt(QueueListing.next(paths.queue(name)) + "/" + node(1, 1)))
          .contains(name);
    }
    assertThat(Paths.nameOf("a.b")).isEmpty();
    assertThat(Paths.nameOf("a%2")).isEmpty();
    assertThat(Paths.nameOf("%2f")).isEmpty();
  }
}
