package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.QueueEntry;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PlaceTest {

  private static final SessionId SESSION = SessionId.fresh();

  private static Request request(long serial) {
    return new Request(
        new LockName("a"),
        new RequestId(SESSION, serial),
        LockMode.EXCLUSIVE,
        IfHeld.QUEUE,
        new ProcessIdentity("host:1"),
        "a\nreason – and more",
        Payload.ofText("a\npayload"));
  }

  /** The name that ZooKeeper gives it. */
  private static String node(long serial, int sequence) {
    String wanted = Place.wanted("/q", request(serial));
    return wanted.substring("/q/".length()) + String.format(Locale.ENGLISH, "%010d", sequence);
  }

  private static List<Long> serials(String... nodes) {
    return Place.queue("/q", List.of(nodes)).stream()
        .map(place -> place.request().serial())
        .toList();
  }

  @Test
  void aQueueIsInTheOrderOfItsCount() {
    assertThat(serials(node(1, 10), node(2, 9), node(3, 100))).containsExactly(2L, 1L, 3L);
  }

  /** ZooKeeper's count is a number of 32 bits with a sign, and goes on below zero. */
  @Test
  void aQueueKeepsItsOrderWhenTheCountOverflows() {
    assertThat(
            serials(
                node(3, Integer.MIN_VALUE),
                node(1, Integer.MAX_VALUE - 1),
                node(4, Integer.MIN_VALUE + 1),
                node(2, Integer.MAX_VALUE)))
        .containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void aRequestThatStandsInAQueueTwiceCountsWhereItStandsFirst() {
    String[] nodes = {node(1, 7), node(2, 5), node(1, 4)};

    assertThat(serials(nodes)).containsExactly(1L, 2L);
    assertThat(Place.of(request(1).id(), "/q", List.of(nodes)))
        .extracting(Place::sequence)
        .containsExactly(4, 7);
  }

  @Test
  void whatIsNoRequestIsPassedOver() {
    assertThat(serials("x", "lock-0000000001", node(1, 3) + "x")).isEmpty();
  }

  @Test
  void whatARequestPublishesIsReadByteForByte() {
    Request request = request(1);
    Place place = Place.of("/q/" + node(1, 0)).orElseThrow();

    assertThat(place.entry(Place.encode(request)))
        .isEqualTo(
            new QueueEntry(
                request.id(), request.mode(), request.process(), request.why(), request.payload()));
  }

  @Test
  void aNameIsReadBackFromItsNode() {
    Paths paths = new Paths("/p");
    for (String text : List.of("orders/42", "ä😀", ".", "..", "a%2Fb", "zookeeper", "A b-_.")) {
      LockName name = new LockName(text);
      assertThat(Paths.nameAt(paths.queue(name) + "/" + node(1, 1))).contains(name);
    }
    assertThat(Paths.nameOf("a.b")).isEmpty();
    assertThat(Paths.nameOf("a%2")).isEmpty();
    assertThat(Paths.nameOf("%2f")).isEmpty();
  }
}
