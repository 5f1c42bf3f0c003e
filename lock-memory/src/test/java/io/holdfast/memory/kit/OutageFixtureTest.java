package io.holdfast.memory.kit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryRules;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.tck.adapter.OutageFixture;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A store that loses what is held is told apart from one that keeps it. */
class OutageFixtureTest implements OutageFixture {

  private MemoryStore store = new MemoryStore("outage", MemoryOptions.DEFAULTS);

  @Override
  public String uri() {
    return "memory:outage";
  }

  @Override
  public Duration ttl() {
    return Duration.ofSeconds(20);
  }

  @Override
  public LockClient client(Duration ttl) {
    return Holdfast.builder().defaultTtl(ttl).connect(store.connect(BackendOptions.DEFAULTS));
  }

  @Test
  void aStoreThatLosesNothingPasses() {
    holdAndWaitOver(store::restart);
  }

  /** Everything, with and without knowing it; or what is held, and nothing that was before. */
  static Stream<Named<Consumer<MemoryStore>>> losses() {
    return Stream.of(
        Named.of("everything", MemoryStore::loseEverything),
        Named.of("everything, unnoticed", MemoryStore::wipe),
        Named.of("all sessions", MemoryStore::failOver));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void aStoreThatLosesWhatIsHeldDoesNot(Consumer<MemoryStore> loss) {
    assertThatThrownBy(() -> holdAndWaitOver(() -> loss.accept(store)))
        .isInstanceOf(AssertionError.class);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void norDoesOneThatGrantsItAnewAtOnce(Consumer<MemoryStore> loss) {
    store =
        new MemoryStore(
            "outage",
            MemoryOptions.DEFAULTS.rules(
                new MemoryRules() {
                  @Override
                  protected Duration restartGuard(Duration lease) {
                    return Duration.ofNanos(-1);
                  }
                }));
    aStoreThatLosesWhatIsHeldDoesNot(loss);
  }
}
