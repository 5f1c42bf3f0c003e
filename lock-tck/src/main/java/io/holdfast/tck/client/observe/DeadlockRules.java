package io.holdfast.tck.client.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.deadlock.Deadlock;
import io.holdfast.record.LockRecord;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions that wait for each other. */
@Topic(value = "DLK", level = Level.CORE, clause = "LockClient.findDeadlocks and Deadlock")
public interface DeadlockRules extends ClientFixture {

  /** The lock that the one wants who holds the other. */
  public String WANTED = NAME + "/wanted";

  @Test
  @Rule("HF-DLK-01")
  default void whoWaitForEachOtherAreSuspectedUntilOneGivesUp() {
    TestClient one = client();
    TestClient other = client();
    TestClient operator = client();
    Grant first = one.hold(NAME);
    Grant second = other.hold(WANTED);

    Waiting patient = one.waitFor(WANTED, longWait());
    await().atMost(longWait()).until(() -> waiting(operator, WANTED) == 1);
    assertThat(operator.client().findDeadlocks(NAME)).as("one that waits").isEmpty();
    Waiting hasty = other.waitFor(NAME, longWait());
    await().atMost(longWait()).until(() -> waiting(operator, NAME) == 1);

    List<Deadlock> found = operator.client().findDeadlocks(NAME);
    assertThat(found).as("two that wait for each other").hasSize(1);
    assertThat(found.get(0).locks()).containsExactlyInAnyOrder(LOCK, new LockName(WANTED));
    assertThat(found.get(0).sessions())
        .containsExactlyInAnyOrder(holder(operator, NAME), holder(operator, WANTED));
    assertThat(operator.client().findDeadlocks(WANTED)).as("of the one lock alone").isEmpty();

    hasty.interrupt();
    await().atMost(longWait()).until(() -> waiting(operator, NAME) == 0);
    assertThat(operator.client().findDeadlocks(NAME)).as("after one gave up").isEmpty();
    second.release();
    patient.grant().release();
    first.release();
  }

  private static int waiting(TestClient operator, String name) {
    return operator.client().find(name).map(LockRecord::waiting).orElse(0);
  }

  private static SessionId holder(TestClient operator, String name) {
    return operator
        .client()
        .find(name)
        .flatMap(LockRecord::holder)
        .orElseThrow()
        .request()
        .session();
  }
}
