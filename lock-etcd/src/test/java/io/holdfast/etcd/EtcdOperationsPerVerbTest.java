package io.holdfast.etcd;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Client;
import io.holdfast.LockName;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What etcd does for each verb. Whatever asks for a whole queue ("sorted", "count") visits all of
 * its keys, and those that were deleted since the last compaction.
 */
@Tag("server")
class EtcdOperationsPerVerbTest {

  private static final LockName LOCK = new LockName("a");

  private static EtcdServer server;

  private final String prefix = "operations/" + UUID.randomUUID();
  private final EtcdOperations operations = new EtcdOperations();

  private Client client;
  private LockBackend backend;
  private SpiClient first;
  private SpiClient second;
  private SpiClient third;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void open() {
    client =
        Client.builder().endpoints("http://" + server.address()).interceptor(operations).build();
    backend = connect();
    first = SpiClient.open(backend, LONG);
    second = SpiClient.open(backend, LONG);
    third = SpiClient.open(backend, LONG);
    operations.sinceLast();
  }

  private LockBackend connect() {
    return EtcdLocks.on(client, prefix).connect(BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void close() {
    backend.close();
    client.close();
  }

  private void assertOperations(String... transactions) {
    assertThat(operations.sinceLast()).containsExactly(transactions);
  }

  @Test
  void aFreeLockIsTakenAndGivenBackWithoutAskingForMore() {
    Held held = first.hold(LOCK);
    assertOperations("3 compares: put, sorted");

    first.release(held);
    assertOperations("1 compares: delete, count");
  }

  /** What has no lock-delay pays nothing for those that have one. */
  @Test
  void aLockDelayTakesTwoMarks() {
    Held held = first.hold(first.request(LOCK).lockDelay(LONG));
    assertOperations("3 compares: put, put, put, sorted");

    first.holding(held.request());
    assertOperations("0 compares: key, count, key, key");
    Request waits = second.queue(LOCK);
    operations.sinceLast();
    second.requireWaiting(waits, 1);
    assertOperations("0 compares: key, key, range, count, key");

    first.release(held);
    assertOperations("1 compares: delete, delete range, count");
  }

  @Test
  void whatIsGivenBackEarlyMovesToAnotherLease() {
    Held held = first.hold(LOCK);
    operations.sinceLast();

    first.releaseAfter(held.request(), LONG);

    assertOperations(
        "0 compares: key, key, range, range, range, range", "1 compares: put, put, delete, delete");
  }

  @Test
  void aHolderIsDowngradedWithoutAskingForMore() {
    Held held = first.hold(LOCK);
    operations.sinceLast();

    first.downgrade(held);

    assertOperations("0 compares: key, key, range, range, range, range", "1 compares: put");
  }

  @Test
  void aHolderLooksAtItsOwnKey() {
    Held held = first.hold(LOCK);
    operations.sinceLast();

    first.holding(held.request());

    assertOperations("0 compares: key, count, key");
  }

  @Test
  void theQueueIsSortedOnceForEachWhoJoinsIt() {
    Held held = first.hold(LOCK);
    operations.sinceLast();
    Request next = second.queue(LOCK);
    Request last = third.queue(LOCK);
    assertOperations("3 compares: put, sorted", "3 compares: put, sorted");

    second.requireWaiting(next, 1);
    assertOperations("0 compares: key, key, range, count, key");
    third.requireWaiting(last, 2);
    assertOperations("0 compares: key, key, range, key");

    first.release(held);
    assertOperations("1 compares: delete, count");
    Held handedOn = second.holding(next);
    assertOperations("0 compares: key, key, range, count, key");
    second.holding(next);
    assertOperations("0 compares: key, count, key");
    third.requireWaiting(last, 2);
    assertOperations("0 compares: key, key, range, key");

    second.release(handedOn);
    assertOperations("1 compares: delete, count");
    third.holding(last);
    // Its predecessor was not the first when it was last seen.
    assertOperations(
        "0 compares: key, key, range, key", "0 compares: sorted, range, sorted, range, range, key");
    third.release(last);
    assertOperations("1 compares: delete, count");
  }

  @Test
  void whoWaitsGivesUpByTwoKeys() {
    first.hold(LOCK);
    Request waits = second.queue(LOCK);
    operations.sinceLast();

    second.release(waits);

    assertOperations("2 compares: delete");
  }

  /** A revocation has left a mark, which has to go with the request. */
  @Test
  void whoWasRevokedLeavesNothing() {
    Held held = first.hold(LOCK);
    second.revoke(held.observed(), RevokeWhen.SAFELY);
    operations.sinceLast();

    first.release(held);

    assertOperations(
        "1 compares: delete, count",
        "0 compares: range, range, count, count",
        "2 compares: sorted, sorted, delete, delete range, sorted");
    assertThat(first.standing(held.request())).isEqualTo(new Standing.Absent());
  }

  @Test
  void anAttemptOnAHeldLockTakesTwoTransactions() {
    first.hold(LOCK);
    operations.sinceLast();

    second.refused(LOCK);

    assertThat(operations.sinceLast()).hasSize(2).first().isEqualTo("3 compares: put, sorted");
  }

  /** Another client knows nothing of the places, and finds them all the same. */
  @Test
  void whoRemembersNothingReadsTheQueue() {
    Held held = first.hold(LOCK);
    Request waits = second.queue(LOCK);
    try (LockBackend other = connect()) {
      operations.sinceLast();

      assertThat(first.on(other).holding(held.request())).isEqualTo(held);
      second.on(other).requireWaiting(waits, 1);

      assertThat(operations.sinceLast())
          .isEqualTo(
              List.of(
                  "0 compares: sorted, range, sorted, range, range, key",
                  "0 compares: sorted, range, sorted, range, range, key"));
    }
  }
}
