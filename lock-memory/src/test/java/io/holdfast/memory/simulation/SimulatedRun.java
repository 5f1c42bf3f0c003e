package io.holdfast.memory.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.HoldfastException;
import io.holdfast.memory.world.World;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Processes with several threads each, in virtual time, that take, pass on and keep locks while
 * their networks fail, their machines sleep, their clients are closed and their grants are revoked.
 * A seed draws all of it.
 */
final class SimulatedRun {

  private static final int PROCESSES = 3;
  private static final int THREADS_PER_PROCESS = 3;
  private static final int USES_PER_THREAD = 25;
  private static final List<String> LOCKS = List.of("a", "b");
  private static final Duration LIMIT = Duration.ofDays(1);

  private final Random random;
  private final World world;
  private final SimulatedThreads threads;
  private final BeliefJudge judge = new BeliefJudge();
  private final StayJudge stays = new StayJudge();
  private final List<World.Peer> peers = new ArrayList<>();
  private final boolean[] down = new boolean[PROCESSES];
  private final boolean[] asleep = new boolean[PROCESSES];
  private final List<String> story = new ArrayList<>();
  private final List<SimulatedThreads.Actor> users = new ArrayList<>();
  private boolean calm;
  private int working = PROCESSES * THREADS_PER_PROCESS;

  SimulatedRun(long seed) {
    this.random = new Random(seed);
    this.world = new World(random.nextBoolean() ? Wakeup.PUSH : Wakeup.POLL);
    this.threads = new SimulatedThreads(world.time, random);
  }

  void perform() {
    for (int i = 0; i < PROCESSES; i++) {
      int process = i;
      peers.add(connect(process));
      for (int j = 0; j < THREADS_PER_PROCESS; j++) {
        users.add(threads.start("user-" + i + "-" + j, () -> work(process)));
      }
    }
    threads.start("chaos", this::disturb);
    threads.run(LIMIT);
    calm = true;
    threads.start("last", this::requireAllFree);
    threads.run(LIMIT);
    assertThat(judge.grants()).as("grants").isPositive();
  }

  /** Returns what has happened, for people. */
  String story() {
    return String.join("\n", story);
  }

  private void note(String what) {
    double seconds = world.time.nanos() / 1e9;
    story.add("%.6f %s: %s".formatted(seconds, Thread.currentThread().getName(), what));
  }

  private World.Peer connect(int process) {
    World.MISTAKE.set(seam -> new SimulatedSeam(seam, threads));
    try {
      World.Peer made = world.new Peer(0.996 + 0.008 * random.nextDouble(), 0.01);
      // Of one in three so long that much happens while a call is on its way.
      made.seam.latency(Duration.ofMillis(random.nextInt(random.nextInt(3) == 0 ? 1_500 : 3)));
      made.network = sent -> carry(process, sent);
      return made;
    } finally {
      World.MISTAKE.remove();
    }
  }

  // --- what threads do ---

  private void work(int process) {
    for (int i = 0; i < USES_PER_THREAD; i++) {
      String lock = LOCKS.get(random.nextInt(LOCKS.size()));
      use(peers.get(process).client, lock, options());
      pause(20);
      boolean unused = Thread.interrupted(); // One that came late is not for the next use.
    }
    working--;
  }

  private AcquireOptions options() {
    Duration wait =
        switch (random.nextInt(4)) {
          case 0 -> Duration.ZERO;
          case 1 -> Duration.ofMillis(1 + random.nextInt(100));
          case 2 -> Duration.ofSeconds(1 + random.nextInt(10));
          default -> Duration.ofMinutes(10);
        };
    AcquireOptions options = AcquireOptions.within(wait);
    if (random.nextInt(3) > 0) {
      options = options.cached();
    }
    if (random.nextInt(3) == 0) {
      options = options.shared();
    }
    if (random.nextInt(6) == 0) {
      options = options.atMost(Duration.ofMillis(1 + random.nextInt(3_000)));
    } else if (random.nextInt(8) == 0) {
      options = options.atLeast(Duration.ofMillis(1 + random.nextInt(5_000)));
    }
    if (random.nextInt(6) == 0) {
      options = options.lockDelay(Duration.ofMillis(1 + random.nextInt(20_000)));
    }
    return random.nextInt(6) == 0 ? options.uninterruptibly() : options;
  }

  /** A grant that its user has, since then. */
  private record Held(Grant grant, long sinceNanos) {}

  private Held granted(String lock, Grant grant, AcquireOptions options) {
    note(grant + " with " + options);
    judge.granted(lock, grant);
    if (grant.isHeld()) {
      stays.granted(lock, grant, world.time.nanos());
    }
    return new Held(grant, world.time.nanos());
  }

  /** Empty if it timed out, was interrupted, or the store could not be reached. */
  private Optional<Held> acquire(LockClient client, String lock, AcquireOptions options) {
    try {
      return Optional.of(granted(lock, client.lock(lock).acquire(options), options));
    } catch (HoldfastException e) {
      return Optional.empty();
    }
  }

  /** As {@link #acquire}; it may turn away at any moment. */
  private Optional<Held> acquireAsync(LockClient client, String lock, AcquireOptions options) {
    CompletableFuture<Grant> asked = client.lock(lock).acquireAsync(options);
    CompletableFuture<Held> held = asked.thenApply(grant -> granted(lock, grant, options));
    int patience = random.nextInt(3) == 0 ? random.nextInt(2_000) : 3_600_000;
    boolean isDone = threads.await(held::isDone, Duration.ofMillis(patience));
    note("an asynchronous acquire is " + (isDone ? "done" : "cancelled"));
    asked.cancel(false);
    return held.handle((done, failure) -> Optional.ofNullable(done)).join();
  }

  private void use(LockClient client, String lock, AcquireOptions options) {
    boolean waits = random.nextInt(3) > 0;
    Optional<Held> held =
        waits ? acquire(client, lock, options) : acquireAsync(client, lock, options);
    if (held.isEmpty()) {
      return;
    }
    Grant grant = held.get().grant();
    long acquiredNanos = held.get().sinceNanos();
    for (int i = random.nextInt(3); i > 0; i--) {
      pause(random.nextInt(8) == 0 ? 30_000 : 30);
      if (grant.mode() == LockMode.EXCLUSIVE && random.nextInt(4) == 0) {
        downgrade(lock, grant);
      }
      if (grant.isHeld()) {
        judge.requireCompatible(lock, grant);
      }
    }
    ReleaseOutcome outcome = grant.release();
    note(grant + " " + outcome);
    judge.released(lock, grant);
    if (outcome == ReleaseOutcome.STAYS) {
      stays.stays(lock, grant, options.atLeast(), acquiredNanos);
    }
  }

  private void downgrade(String lock, Grant grant) {
    try {
      grant.downgrade();
      note(grant + " is shared now");
    } catch (HoldfastException e) {
      note(grant + " is downgraded: " + e.getMessage()); // It is lost, or the answer was.
    }
    judge.downgraded(lock, grant);
  }

  private void pause(int millisMax) {
    threads.pause(Duration.ofNanos((long) (random.nextDouble() * millisMax * 1_000_000)));
  }

  // --- what happens to them ---

  private Object carry(int process, World.Sent sent) {
    if (SimulatedThreads.isActor()) {
      pause(3);
    }
    if (down[process]) {
      throw new VirtualSeam.Hang();
    }
    int dice = calm ? 1_000 : random.nextInt(1_000);
    if (dice < 15) {
      throw World.unreachable();
    } else if (dice < 30 && !sent.is("listen")) {
      Object unused = sent.pass();
      throw World.answerLost();
    } else if (dice < 45
        && sent.is("grab", "release", "releaseAfter", "overtake", "renew", "downgrade")) {
      world.after(Duration.ofMillis(random.nextInt(40_000)), () -> arrive(sent));
      throw World.answerLost();
    } else if (dice < 50) {
      throw new VirtualSeam.Hang();
    }
    Object answer = sent.pass();
    note("%d asks %s %s: %s".formatted(process, sent.verb(), sent.args().get(0), answer));
    if (SimulatedThreads.isActor()) {
      pause(3);
    }
    return answer;
  }

  private void arrive(World.Sent sent) {
    try {
      sent.arrive();
    } catch (RuntimeException refused) {
      note("a late " + sent.verb() + " is refused: " + refused.getMessage());
    }
  }

  private void disturb() {
    while (working > 0) {
      pause(3_000);
      int process = random.nextInt(PROCESSES);
      World.Peer peer = peers.get(process);
      Duration length = Duration.ofMillis(random.nextInt(60_000));
      switch (random.nextInt(7)) {
        case 0 -> world.after(Duration.ZERO, () -> sleep(process, peer, length));
        case 1 -> cutOff(process, length);
        case 2 -> stepClock(process, peer, Duration.ofMillis(random.nextInt(20_000) - 10_000));
        case 3 -> {
          note(process + " is closed and begins again");
          peers.set(process, connect(process));
          peer.client.close();
        }
        case 4 -> revoke(peer.client, LOCKS.get(random.nextInt(LOCKS.size())));
        default -> users.get(random.nextInt(users.size())).interrupt();
      }
    }
    for (int i = 0; i < PROCESSES; i++) {
      down[i] = false;
    }
  }

  private void sleep(int process, World.Peer peer, Duration length) {
    note(process + " sleeps for " + length);
    asleep[process] = true;
    peer.seam.sleep(length);
    asleep[process] = false;
    note(process + " wakes up");
  }

  private void cutOff(int process, Duration length) {
    note(process + " is cut off for " + length);
    down[process] = true;
    world.after(length, () -> down[process] = false);
  }

  /**
   * Not while the machine sleeps, nor at the moment in which it wakes up: a clock that is set back
   * before the engine has looked at it hides the sleep.
   */
  private void stepClock(int process, World.Peer peer, Duration by) {
    world.after(
        Duration.ofSeconds(1),
        () -> {
          if (!asleep[process]) {
            note("the clock of " + process + " is set by " + by);
            peer.seam.stepWallClock(by);
          }
        });
  }

  private void revoke(LockClient client, String lock) {
    stays.revocationBegins(lock);
    try {
      Optional<LockRecord> found = client.find(lock).filter(seen -> seen.holder().isPresent());
      if (found.isPresent()) {
        List<Holder> holders = found.get().holders();
        Holder one = holders.get(random.nextInt(holders.size()));
        if (random.nextInt(3) == 0) {
          client.revokeIn(found.get(), one, Duration.ofMillis(1 + random.nextInt(30_000)));
        } else {
          client.revoke(found.get(), one, RevokeWhen.SAFELY);
        }
      }
    } catch (HoldfastException unreachable) {
      note("nothing is revoked: " + unreachable.getMessage());
    } finally {
      stays.revocationEnds(lock, world.time.nanos());
    }
  }

  /** Whatever has happened, each process gets each lock, and so does one that comes after all. */
  private void requireAllFree() {
    for (World.Peer peer : peers) {
      requireGranted(peer.client);
    }
    peers.forEach(peer -> peer.client.close());
    World.Peer after = connect(0);
    requireGranted(after.client);
    after.client.close();
  }

  private void requireGranted(LockClient client) {
    for (String lock : LOCKS) {
      Grant grant = client.lock(lock).acquire(Duration.ofMinutes(30));
      judge.granted(lock, grant);
      stays.granted(lock, grant, world.time.nanos());
      grant.release();
      judge.released(lock, grant);
    }
  }
}
