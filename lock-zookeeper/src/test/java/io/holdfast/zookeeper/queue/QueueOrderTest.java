package io.holdfast.zookeeper.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.answer.Contention;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.RememberedPosition.Holding;
import io.holdfast.zookeeper.session.RememberedPosition.Waiting;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues are written by the modes that their requests have asked for: {@code xss}. */
class QueueOrderTest {

  private static final SessionId SESSION = SessionId.fresh();

  private static RequestNode node(String modes, int index) {
    return new RequestNode(
        "/q/" + index,
        new RequestId(SESSION, index + 1),
        modes.charAt(index) == 'x' ? LockMode.EXCLUSIVE : LockMode.SHARED,
        false,
        index);
  }

  private static QueueOrder order(String modes, boolean firstShares) {
    List<RequestNode> queue =
        IntStream.range(0, modes.length()).mapToObj(i -> node(modes, i)).toList();
    return new QueueOrder(queue, firstShares);
  }

  private static RememberedPosition position(QueueOrder order, int index) {
    return order.position(
        index, new RequestCreation(order.queue().get(index), index, Instant.EPOCH));
  }

  private static Waiting waiting(String modes, int index) {
    return (Waiting) position(order(modes, false), index);
  }

  @ParameterizedTest
  @CsvSource({
    "x, false, 1",
    "xx, false, 1",
    "xs, false, 1",
    "s, false, 1",
    "ss, false, 2",
    "ssx, false, 2",
    "ssxs, false, 2",
    "xssx, true, 3",
    "xxs, true, 1"
  })
  void theHoldersAreTheFirstOrTheRunAtTheHead(String modes, boolean firstShares, int holders) {
    QueueOrder order = order(modes, firstShares);

    assertThat(order.holders()).isEqualTo(order.queue().subList(0, holders));
    assertThat(order.contention()).isEqualTo(Contention.of(modes.length() - holders));
    for (int i = 0; i < modes.length(); i++) {
      assertThat(order.holds(i)).as("%s of %s", i, modes).isEqualTo(i < holders);
      assertThat(position(order, i) instanceof Holding).isEqualTo(i < holders);
    }
  }

  /** Directly ahead for an exclusive one, the last exclusive one ahead for a shared one. */
  @ParameterizedTest
  @CsvSource({
    "xx, 1, 0",
    "xxx, 2, 1",
    "ssx, 2, 1",
    "xsx, 2, 1",
    "xs, 1, 0",
    "xss, 2, 0",
    "ssxss, 4, 2"
  })
  void whoWaitsKnowsWhoKeepsItOut(String modes, int index, int nearest) {
    assertThat(waiting(modes, index).nearest()).isEqualTo(node(modes, nearest));
    assertThat(order(modes, false).keeper(index)).isEqualTo(node(modes, nearest));
  }

  @ParameterizedTest
  @CsvSource({
    "xx, 1, true",
    "xxx, 2, false",
    "ssx, 2, false",
    "sx, 1, true",
    "xss, 2, true",
    "ssxss, 4, true",
    "xsxs, 3, false"
  })
  void whoIsNextHoldsWhenThatOneHasLeft(String modes, int index, boolean next) {
    assertThat(waiting(modes, index).next()).isEqualTo(next);
  }

  /** Once the exclusive one ahead of both has left, the shared ones hold and may be in the way. */
  @Test
  void anExclusiveRequestBehindSharedOnesThatWaitKnowsBehindWhomTheyWait() {
    assertThat(waiting("xssx", 3).barrier()).contains(node("xssx", 0));
    assertThat(waiting("xssx", 3).run()).isEmpty();
    assertThat(waiting("xx", 1).barrier()).isEmpty();
    assertThat(waiting("xss", 2).barrier()).isEmpty();
  }

  @Test
  void anExclusiveRequestBehindARunKnowsAllOfIt() {
    assertThat(waiting("sssx", 3).run()).isEqualTo(order("sss", false).queue());
    assertThat(waiting("sssxx", 4).run()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "xs, 1, true",
    "xx, 1, false",
    "xsx, 2, true",
    "xxs, 2, false",
    "xsxs, 3, false",
    "ss, 1, false",
    "x, 0, false"
  })
  void whetherTheFirstWasDowngradedMattersToWhomItAloneKeepsOut(
      String modes, int index, boolean depends) {
    assertThat(order(modes, false).dependsOnFirst(index)).isEqualTo(depends);
    assertThat(order(modes, true).dependsOnFirst(index)).isFalse();
  }

  @Test
  void aHolderRemembersWhoSharesItsLockAndWhoWaits() {
    QueueOrder order = order("ssxx", false);

    Holding second = (Holding) position(order, 1);

    assertThat(second.companion()).contains(node("ssxx", 0));
    assertThat(second.waiter()).contains(node("ssxx", 2));
    assertThat(((Holding) position(order, 0)).companion()).isEqualTo(Optional.empty());
  }
}
