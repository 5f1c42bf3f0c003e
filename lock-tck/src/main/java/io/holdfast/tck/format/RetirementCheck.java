package io.holdfast.tck.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.Retirement;
import io.holdfast.record.Retirement.LiveSession;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Retires what an older version has stored: refused and unchanged while sessions live; then gone,
 * with greater numbers afterwards.
 *
 * @param state an empty namespace
 * @param version the older version
 * @param records what it has stored, with three live sessions
 */
record RetirementCheck(StoredState state, int version, List<StoredRecord> records) {

  private static final int RACES = 12;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** As a number that is ahead of the store's clock, because that was set back. */
  private static final long AHEAD_MICROS = TimeUnit.DAYS.toMicros(1);

  private static final String NUMBER = "number";

  void run(Map<String, String> values) throws Exception {
    Map<String, String> ahead = new HashMap<>(values);
    ahead.computeIfPresent(
        NUMBER, (name, number) -> Long.toString(Long.parseLong(number) + AHEAD_MICROS));
    state.write(records, ahead);
    assumeTrue(refusedWhileSessionsLive(), "The adapter cannot retire a namespace.");
    long greatest = Scenario.names().stream().mapToLong(state::number).max().orElseThrow();
    assertThat(greatest).as("the greatest number of version %s", version).isPositive();
    long nanos = retired();
    nextVersionBegins(greatest);
    presentVersionIsRefused();
    nothingIsThere();
    for (int race = 1; race <= RACES; race++) {
      raced(values, nanos * race / RACES);
    }
  }

  private boolean refusedWhileSessionsLive() {
    List<StoredRecord> before = state.read();
    Optional<Retirement> refused = state.retire();
    if (refused.isEmpty()) {
      return false;
    }
    assertThat(refused.get()).as("while sessions live").isInstanceOf(Retirement.InUse.class);
    Retirement.InUse used = (Retirement.InUse) refused.get();
    assertThat(used.protocol()).isEqualTo(version);
    assertThat(used.sessions())
        .extracting(LiveSession::session)
        .containsExactlyInAnyOrderElementsOf(Scenario.sessions());
    assertThat(used.sessions())
        .extracting(live -> live.process().value())
        .contains("h\u00f6st:1 !,;", "host:2", "host:3");
    // A store may count longer than the holder, whose TTL is a minute.
    assertThat(used.sessions())
        .allMatch(live -> live.lapsesWithin().compareTo(Duration.ofMinutes(2)) < 0);
    assertThat(state.read()).as("what is stored after a refusal").isEqualTo(before);
    return true;
  }

  /**
   * Stores that end sessions by themselves may take a moment to do so.
   *
   * @return how long the store took to retire it
   */
  private long retired() {
    state.lapseSessions();
    AtomicLong nanos = new AtomicLong();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              long before = System.nanoTime();
              assertThat(state.retire()).contains(new Retirement.Retired(version));
              nanos.set(System.nanoTime() - before);
            });
    return nanos.get();
  }

  private void nextVersionBegins(long greatest) {
    try (LockBackend backend = state.connect(Scenario.ANY_SETTINGS)) {
      NamespaceSettings settings = new Scenario(backend).requireGreaterNumbers(greatest);
      assertThat(settings.maxTtl()).as("maxTtl goes on").isEqualTo(Scenario.MAX_TTL);
      assertThat(settings.maxClockStep()).as("maxClockStep goes on").isEqualTo(Scenario.MAX_STEP);
    }
  }

  private void presentVersionIsRefused() {
    List<StoredRecord> before = state.read();
    assertThatThrownBy(state::retire)
        .as("a namespace of the present version")
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nothing to retire");
    assertThat(state.read()).isEqualTo(before);
  }

  private void nothingIsThere() {
    state.clear();
    assertThat(state.retire()).as("where nothing is").contains(new Retirement.Nothing());
  }

  /**
   * A client that comes meanwhile either prevents it or is refused.
   *
   * @param later when it comes: at another moment of the retirement in each race
   */
  private void raced(Map<String, String> values, long later) throws Exception {
    state.clear();
    state.write(records, values);
    state.lapseSessions();
    CyclicBarrier start = new CyclicBarrier(2);
    CompletableFuture<Boolean> opened =
        CompletableFuture.supplyAsync(
            () -> {
              awaitOther(start);
              LockSupport.parkNanos(later);
              return state.openAsOlderClient(version);
            });
    awaitOther(start);
    boolean retired;
    try {
      retired = state.retire().orElseThrow() instanceof Retirement.Retired;
    } catch (BackendFailure | BackendUnusableException e) {
      retired = false; // The other was in the way of a step.
    }
    boolean held = opened.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(retired && held)
        .as(
            "retired, and a client of version %s that came %s ns later is in all the same",
            version, later)
        .isFalse();
  }

  private static void awaitOther(CyclicBarrier start) {
    try {
      start.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
