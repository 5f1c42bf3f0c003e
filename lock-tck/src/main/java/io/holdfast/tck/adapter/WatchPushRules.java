package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.record.LockRecord;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.watch.Watch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Watches of stores that tell what has changed, without being asked to by those who change it. */
@Topic(value = "WPU", level = Level.CORE, clause = "LockBackend.watch")
public interface WatchPushRules extends ClientFixture {

  /** So seldom that no change of these rules is found by a poll. */
  Duration SELDOM = Duration.ofHours(1);

  /** Longer than between two polls of a watch that was given no interval. */
  Duration QUIET = Duration.ofSeconds(3);

  @Test
  @Rule("HF-WPU-01")
  default void eachChangeIsToldWithoutAPoll() {
    TestClient one = client();
    TestClient watcher = client();
    List<LockRecord> told = new CopyOnWriteArrayList<>();
    try (Watch ignored = watcher.client().watch(NAME, SELDOM, told::add)) {
      awaitTold(told, lock -> !lock.isHeld());
      for (int i = 0; i < 5; i++) {
        Grant grant = one.hold(NAME);
        awaitTold(told, lock -> lock.isHeld() && lock.number() == grant.token().number());
        grant.release();
        awaitTold(told, lock -> !lock.isHeld());
      }
      AcquireOptions shared = AcquireOptions.within(longWait()).shared();
      Grant older = client().client().lock(NAME).acquire(shared);
      Grant younger = client().client().lock(NAME).acquire(shared);
      awaitTold(told, lock -> lock.holders().size() == 2);
      younger.release();
      awaitTold(told, lock -> lock.holders().size() == 1);
      older.release();
      awaitTold(told, lock -> !lock.isHeld());
    }
    assertThat(watcher.count(Verb.WATCH)).as("reads").isLessThan(60);
  }

  @Test
  @Rule("HF-WPU-03")
  default void whileNothingChangesNothingIsRead() {
    TestClient watcher = client();
    List<LockRecord> told = new CopyOnWriteArrayList<>();
    try (Watch ignored = watcher.client().watch(NAME, SELDOM, told::add)) {
      Grant grant = client().hold(NAME);
      awaitTold(told, lock -> lock.isHeld() && lock.number() == grant.token().number());
      untilQuiet(watcher, Verb.WATCH, QUIET);
    }
  }

  /** The connection on which the store would have told is gone with the restart. */
  @Test
  @Rule("HF-WPU-02")
  @Disturbs(RestartControl.class)
  default void afterARestartChangesAreToldAgain() {
    RestartControl server = fixture().control(RestartControl.class);
    TestClient watcher = client();
    List<LockRecord> told = new CopyOnWriteArrayList<>();
    try (Watch ignored = watcher.client().watch(NAME, SELDOM, told::add)) {
      awaitTold(told, lock -> !lock.isHeld());
      server.restartLosingNothing();
      for (int i = 0; i < 3; i++) {
        Grant grant = client().acquire(NAME, longWait());
        awaitTold(told, lock -> lock.isHeld() && lock.number() == grant.token().number());
        grant.release();
        awaitTold(told, lock -> !lock.isHeld());
      }
    }
  }

  private void awaitTold(List<LockRecord> told, Predicate<LockRecord> such) {
    await().atMost(longWait()).until(() -> !told.isEmpty() && such.test(told.get(told.size() - 1)));
  }
}
