package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.HoldfastException;
import io.holdfast.memory.world.World;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Edition;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.tck.time.VirtualSeam;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Watches in virtual time, of a store whose answers a test makes up. */
class WatchTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final World world = new World(Wakeup.POLL);
  private final World.Peer watcher = world.process();
  private final List<Long> told = new ArrayList<>();
  private final List<HintListener> hints = new ArrayList<>();

  /** The edition that the store shows; the number of its record tells which that is. */
  private long shown = 1;

  private int reads;
  private boolean hangs;
  private boolean closed;

  private final class MadeUp implements Watching {
    @Override
    public Sighting read(int waiters, Deadline deadline) {
      reads++;
      if (hangs) {
        throw new VirtualSeam.Hang();
      }
      return new Sighting(
          new LockRecord(new LockName("a"), shown, List.of(), List.of()),
          Optional.of(new Edition(shown, 0)));
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private Watch watch() {
    return watch(SECOND);
  }

  private Watch watch(Duration interval) {
    return watch(interval, lock -> told.add(lock.number()));
  }

  private Watch watch(Duration interval, WatchListener listener) {
    watcher.network =
        sent -> {
          if (sent.is("watch")) {
            hints.add((HintListener) sent.args().get(1));
            return new MadeUp();
          }
          return sent.pass();
        };
    return watcher.client.watch("a", interval, listener);
  }

  private void hint() {
    hints.get(0).accept(new LockName("a"));
  }

  @Test
  void itLooksOnceForEachInterval() {
    Watch unused = watch();
    world.time.advance(Duration.ofMillis(10_500));

    assertThat(reads).isEqualTo(11);
    assertThat(told).containsExactly(1L);
  }

  /** The store has lost what was told: nothing newer will come of itself. */
  @Test
  void whatTheStoreGoesOnFromIsToldInTheEnd() {
    shown = 5;
    Watch unused = watch();
    world.time.advance(SECOND);
    shown = 3;
    world.time.advance(Duration.ofSeconds(59));
    assertThat(told).containsExactly(5L);

    world.time.advance(Duration.ofSeconds(3));
    assertThat(told).containsExactly(5L, 3L);

    shown = 4;
    world.time.advance(SECOND);
    assertThat(told).containsExactly(5L, 3L, 4L);
  }

  /** Otherwise a server that was cut off and is asked now and then would be believed. */
  @Test
  void olderStatesNowAndThenAreNeverTold() {
    shown = 5;
    Watch unused = watch();
    for (int i = 0; i < 200; i++) {
      shown = i % 2 == 0 ? 5 : 3;
      world.time.advance(SECOND);
    }
    assertThat(told).containsExactly(5L);
  }

  @Test
  void aLockThatChangesAllTheTimeIsNotReadAllTheTime() {
    Watch unused = watch();
    for (int i = 0; i < 10_000; i++) {
      shown++;
      hint();
      world.time.advance(Duration.ofMillis(1));
    }
    assertThat(reads).isBetween(150, 205);
    world.time.advance(SECOND);
    assertThat(told.get(told.size() - 1)).isEqualTo(shown);
  }

  @Test
  void aHintWhileALookIsUnderWayMeansAnotherLook() {
    watcher.seam.latency(Duration.ofMillis(10));
    Watch unused = watch();
    world.time.advance(Duration.ofMillis(15)); // The answer is on its way.
    shown = 2;
    hint();
    world.time.advance(Duration.ofMillis(100));

    assertThat(told).containsExactly(1L, 2L);
  }

  /** One that relies on hints may look seldom otherwise. */
  @Test
  void whoseHintsHaveEndedLooksAgainWithinASecond() {
    Watch unused = watch(Duration.ofHours(1));
    world.time.advance(Duration.ofMinutes(1));
    assertThat(reads).isEqualTo(1);

    shown = 2;
    hints.get(0).ended();
    world.time.advance(SECOND);
    assertThat(told).containsExactly(1L, 2L);

    world.time.advance(Duration.ofMinutes(1));
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void whileTheStoreIsAwayItIsAskedEverySecond() {
    Watch unused = watch(Duration.ofHours(1));
    world.time.advance(Duration.ofMinutes(1));
    hangs = true;
    shown = 2;
    hint();
    world.time.advance(Duration.ofSeconds(30));
    assertThat(reads).as("reads of five seconds each, and one of rest").isBetween(4, 8);

    hangs = false;
    world.time.advance(Duration.ofSeconds(10));
    assertThat(told).containsExactly(1L, 2L);
  }

  @Test
  void aPrefixOfManyLocksIsReadPageByPage() {
    World.Peer holder = world.process();
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      grants.add(holder.client.lock("many/" + i).acquire());
    }
    List<LockRecord> states = new ArrayList<>();
    Watch unused = watcher.client.watchPrefix("many/", states::add);
    world.time.advance(Duration.ofMillis(500));
    assertThat(states).hasSize(250).allMatch(LockRecord::isHeld);
    assertThat(watcher.count("list")).isEqualTo(3);

    states.clear();
    grants.forEach(Grant::release);
    world.time.advance(SECOND);
    assertThat(states).hasSize(250).noneMatch(LockRecord::isHeld);

    states.clear();
    world.time.advance(Duration.ofSeconds(90)); // So long that they are forgotten.
    Grant again = holder.client.lock("many/7").acquire();
    world.time.advance(SECOND);
    again.release();
    world.time.advance(SECOND);
    assertThat(states.stream().map(LockRecord::isHeld)).containsExactly(true, false);
  }

  /** More changes each second than it can be told of. */
  @Test
  void aSlowListenerOfAPrefixIsToldOfEachLock() {
    World.Peer holder = world.process();
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      grants.add(holder.client.lock("many/" + i).acquire());
    }
    Set<String> names = new HashSet<>();
    Watch unused =
        watcher.client.watchPrefix(
            "many/",
            lock -> {
              names.add(lock.name().value());
              world.time.advance(Duration.ofMillis(10));
            });
    for (int second = 1; second <= 5; second++) {
      world.after(
          SECOND.multipliedBy(second),
          () -> {
            for (int i = 0; i < 200; i++) {
              grants.get(i).release();
              grants.set(i, holder.client.lock("many/" + i).acquire());
            }
          });
    }
    world.time.advance(SECOND.multipliedBy(5));

    assertThat(names).hasSize(200);
  }

  @Test
  void watchesThatAreNotAnsweredLeaveThreadsToOthers() {
    hangs = true;
    for (int i = 0; i < 10; i++) {
      Watch unused = watch();
    }
    world.time.advance(SECOND);
    assertThat(reads).isEqualTo(4);

    hangs = false;
    world.time.advance(Duration.ofSeconds(20));
    assertThat(told).hasSize(10);
  }

  /** A store may hint as soon as it is asked to, on a thread of its own. */
  @Test
  void aHintThatComesBeforeTheWatchHasBegunDoesNoHarm() {
    List<HoldfastException> problems = new ArrayList<>();
    watcher.network =
        sent -> {
          if (!sent.is("watch")) {
            return sent.pass();
          }
          HintListener early = (HintListener) sent.args().get(1);
          early.accept(new LockName("a"));
          early.ended();
          world.time.advance(SECOND);
          return new MadeUp();
        };
    WatchListener listener =
        new WatchListener() {
          @Override
          public void changed(LockRecord lock) {
            told.add(lock.number());
          }

          @Override
          public void failed(HoldfastException problem) {
            problems.add(problem);
          }
        };
    Watch unused = watcher.client.watch("a", SECOND, listener);
    world.time.advance(SECOND);

    assertThat(problems).isEmpty();
    assertThat(told).containsExactly(1L);
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void whatIsAskedForAsTheClientClosesIsStopped() {
    watcher.client.close();

    assertThatThrownBy(this::watch).isInstanceOf(ClientClosedException.class);
    assertThat(hints).hasSize(1);
    assertThat(closed).isTrue();
  }

  @Test
  void aWatchThatIsClosedStopsTheStoresHints() {
    Watch watch = watch();
    world.time.advance(SECOND);
    watch.close();
    world.time.advance(SECOND);

    assertThat(closed).isTrue();
    assertThat(reads).isLessThanOrEqualTo(2);
  }

  /** As code in Kotlin or Scala may, which does not check exceptions. */
  @Test
  void aListenerThatThrowsACheckedExceptionIsToldWhatFollows() {
    Watch unused =
        watch(
            SECOND,
            lock -> {
              told.add(lock.number());
              WatchTest.<RuntimeException>throwUnchecked();
            });
    world.time.advance(SECOND);
    shown = 2;
    world.time.advance(SECOND);

    assertThat(told).containsExactly(1L, 2L);
  }

  /** The store comes and goes while the listener is still at work on the first failure. */
  @Test
  void whoeverWasToldThatTheStoreIsAwayIsToldThatItIsBack() {
    List<String> words = new ArrayList<>();
    hangs = true;
    Watch unused =
        watch(
            SECOND,
            new WatchListener() {
              @Override
              public void changed(LockRecord lock) {
                words.add("changed");
              }

              @Override
              public void failed(HoldfastException problem) {
                words.add("failed");
                for (boolean away : List.of(false, true, false)) {
                  hangs = away;
                  world.time.advance(Duration.ofSeconds(10));
                }
              }

              @Override
              public void recovered() {
                words.add("recovered");
              }
            });
    world.time.advance(Duration.ofSeconds(60));

    assertThat(words).containsExactlyInAnyOrder("failed", "recovered", "changed");
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void throwUnchecked() throws E {
    throw (E) new IOException("the listener's");
  }
}
