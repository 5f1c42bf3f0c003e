package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A lock that goes from thread to thread of one client without a call to the store. */
@Topic(value = "PAS", level = Level.CORE, clause = "docs/guarantees.md, Order")
public interface PassingOnRules extends ClientFixture {

  @Test
  @Rule("HF-PAS-01")
  default void theNextThreadGetsTheLockWithoutACallToTheStore() {
    TestClient one = client();
    TestClient other = client();
    // A thread may be too slow: a lock is passed on for a tenth of a second only.
    await().atMost(longWait()).until(() -> isPassedOn(one, other));
  }

  /** Two threads wait for another client's lock; the first gives it back at once. */
  private boolean isPassedOn(TestClient one, TestClient other) {
    Grant held = other.acquire(NAME, longWait());
    long released = one.count(Verb.RELEASE);
    List<Waiting> both = List.of(user(one), user(one));
    await()
        .atMost(longWait())
        .until(() -> other.client().find(NAME).orElseThrow().waiters().size() == 1);
    held.release();
    List<FencingToken> tokens = both.stream().map(user -> user.grant().token()).sorted().toList();
    assertThat(tokens).doesNotHaveDuplicates();
    boolean isOneNumber = tokens.get(0).number() == tokens.get(1).number();
    if (isOneNumber) {
      assertThat(one.count(Verb.RELEASE) - released).as("releases of one number").isOne();
    }
    return isOneNumber;
  }

  private Waiting user(TestClient client) {
    return new Waiting(
        () -> {
          Grant grant = client.acquire(NAME, longWait());
          grant.release();
          return grant;
        });
  }

  @Test
  @Rule("HF-PAS-02")
  default void threadsThatGoOnAskingDoNotKeepAnotherClientWaiting() {
    TestClient busy = client();
    TestClient other = client();
    AtomicBoolean enough = new AtomicBoolean();
    List<Waiting> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      threads.add(
          new Waiting(
              () -> {
                Grant grant;
                do {
                  grant = busy.acquire(NAME, longWait());
                  grant.release();
                } while (!enough.get());
                return grant;
              }));
    }
    try {
      FencingToken last = FencingToken.of(1, 0);
      for (int i = 0; i < 3; i++) {
        Grant grant = other.acquire(NAME, longWait());
        assertThat(grant.token()).isGreaterThan(last);
        last = grant.token();
        grant.release();
      }
    } finally {
      enough.set(true);
    }
    threads.forEach(Waiting::grant);
  }

  @Test
  @Rule(value = "HF-PAS-03", marked = 13)
  default void tokensRiseOverWhatIsPassedOn() {
    TestClient one = client();
    int threads = 4;
    int turns = 300;
    List<FencingToken> tokens = new CopyOnWriteArrayList<>();
    AtomicInteger inside = new AtomicInteger();
    List<Waiting> users = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      users.add(
          new Waiting(
              () -> {
                Grant grant;
                int turn = 0;
                do {
                  grant = one.acquire(NAME, longWait());
                  assertThat(inside.incrementAndGet()).as("threads that hold the lock").isOne();
                  tokens.add(grant.token());
                  inside.decrementAndGet();
                  grant.release();
                } while (++turn < turns);
                return grant;
              }));
    }
    users.forEach(Waiting::grant);
    assertThat(tokens).hasSize(threads * turns).isSorted().doesNotHaveDuplicates();
    assertThat(one.attempt(NAME)).isPresent();
  }

  @Test
  @Rule(value = "HF-PAS-04", marked = 13)
  default void aNumberWhoseReleaseWasNotAnsweredIsNotPassedOn() {
    TestClient one = client();
    Grant first = one.client().lock(NAME).acquire(AcquireOptions.within(longWait()).why("first"));
    first.handOver();
    Waiting next = one.waitFor(NAME, longWait());
    one.faults().next(Verb.RELEASE, Fault.answerLost());
    assertThat(first.release()).isEqualTo(ReleaseOutcome.PENDING);
    assertThat(next.grant().token().number()).isGreaterThan(first.token().number());
  }

  /** However fast the threads of one client are, each client has as many turns as the other. */
  @Test
  @Rule("HF-PAS-05")
  default void clientsWhoseThreadsAllWantTheLockTakeTurns() {
    fixture().requireOrder(Order.FIFO);
    int turns = 9;
    AtomicBoolean enough = new AtomicBoolean();
    List<Set<Long>> numbers = List.of(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
    List<Waiting> threads = new ArrayList<>();
    for (Set<Long> own : numbers) {
      TestClient client = client();
      for (int i = 0; i < 3; i++) {
        threads.add(new Waiting(() -> work(client, own, enough)));
      }
    }
    List<Integer> had;
    try {
      await().atMost(longWait()).until(() -> numbers.stream().noneMatch(Set::isEmpty));
      List<Integer> atFirst = sizes(numbers);
      await().atMost(longWait()).until(() -> sum(sizes(numbers)) >= sum(atFirst) + turns);
      List<Integer> atLast = sizes(numbers);
      had = List.of(atLast.get(0) - atFirst.get(0), atLast.get(1) - atFirst.get(1));
    } finally {
      enough.set(true);
    }
    threads.forEach(Waiting::grant);
    assertThat(had).as("turns of each of two clients").allMatch(each -> each >= turns / 3);
  }

  private Grant work(TestClient client, Set<Long> numbers, AtomicBoolean enough) {
    Grant grant;
    do {
      grant = client.acquire(NAME, longWait());
      numbers.add(grant.token().number());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3));
      grant.release();
    } while (!enough.get());
    return grant;
  }

  private static List<Integer> sizes(List<Set<Long>> numbers) {
    return numbers.stream().map(Set::size).toList();
  }

  private static int sum(List<Integer> sizes) {
    return sizes.stream().mapToInt(Integer::intValue).sum();
  }
}
