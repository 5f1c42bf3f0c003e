package io.holdfast.memory.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.ClientBuilder;
import io.holdfast.Grant;
import io.holdfast.Health;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionState;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.Verb;
import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is given to the builder arrives where it counts. */
class BuilderTest {

  private final String name = "builder-" + UUID.randomUUID();
  private final String uri = "memory:" + name;

  @AfterEach
  void forget() {
    MemoryStore.forget(name);
  }

  static Stream<UnaryOperator<ClientBuilder>> otherNamespaces() {
    return Stream.of(
        builder -> builder.partitions(2),
        builder -> builder.maxTtl(Duration.ofSeconds(61)),
        builder -> builder.maxClockStep(Duration.ofSeconds(2)));
  }

  @ParameterizedTest
  @MethodSource("otherNamespaces")
  void twoClientsWithDifferentNamespaceSettingsDoNotWorkSideBySide(
      UnaryOperator<ClientBuilder> other) {
    try (LockClient first = Holdfast.connect(uri);
        LockClient second = other.apply(Holdfast.builder()).connect(uri)) {
      first.lock("a").acquire();
      assertThatThrownBy(() -> second.lock("b").tryAcquire())
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("namespace");
    }
  }

  @ParameterizedTest
  @MethodSource("otherNamespaces")
  void aSettingThatABackendCannotHeedAnyMoreIsRefused(UnaryOperator<ClientBuilder> other) {
    try (LockBackend backend =
        new MemoryStore("made", MemoryOptions.DEFAULTS).connect(BackendOptions.DEFAULTS)) {
      assertThatThrownBy(() -> other.apply(Holdfast.builder()).connect(backend))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("memory:made");
    }
  }

  @Test
  void withoutTheRestartGuardNobodyWaitsAfterAFailOver() {
    try (LockClient guarded = Holdfast.connect(uri);
        LockClient unguarded = Holdfast.builder().withoutRestartGuard().connect(uri)) {
      guarded.lock("a").acquire().release();
      MemoryStore.named(name).failOver();
      assertThat(guarded.lock("a").tryAcquire()).isEmpty();
      assertThat(unguarded.lock("a").tryAcquire()).isPresent();
    }
  }

  @Test
  void anEarlierLifeIsKnownOnlyByAnIdentityThatWasGiven() {
    assertThatThrownBy(() -> Holdfast.builder().releaseEarlierLife().connect(uri))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("processIdentity");
  }

  @Test
  void aClientThatCannotReleaseItsEarlierLifeDoesNotConnectAndLeavesNothingOpen() {
    FaultyBackend faults =
        new FaultyBackend(
            new MemoryStore("away", MemoryOptions.DEFAULTS).connect(BackendOptions.DEFAULTS));
    faults.next(Verb.LIST, Fault.refused());

    assertThatThrownBy(
            () ->
                Holdfast.builder()
                    .processIdentity(new ProcessIdentity("till 7"))
                    .releaseEarlierLife()
                    .connect(faults))
        .isInstanceOf(BackendUnreachableException.class);
    assertThatThrownBy(() -> faults.sweep(Deadline.in(Duration.ofSeconds(5))))
        .isInstanceOf(BackendFailure.class);
  }

  @Test
  void theIdentityAndTheTtlAreThoseThatWereGiven() {
    try (LockClient client =
        Holdfast.builder()
            .processIdentity(new ProcessIdentity("till 7"))
            .defaultTtl(Duration.ofSeconds(40))
            .connect(uri)) {
      Grant grant = client.lock("a").acquire();
      assertThat(grant.remaining()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(40));
      assertThat(client.find("a").flatMap(LockRecord::holder).orElseThrow().process())
          .isEqualTo(new ProcessIdentity("till 7"));
      client.lock("b").acquire(AcquireOptions.once().ttl(Duration.ofSeconds(30)));
      Health health = client.health();
      assertThat(health.isUp()).isTrue();
      assertThat(health.backend()).isEqualTo(uri);
      assertThat(health.sessions())
          .extracting(Health.SessionHealth::ttl)
          .containsExactlyInAnyOrder(Duration.ofSeconds(40), Duration.ofSeconds(30));
      assertThat(health.sessions())
          .extracting(Health.SessionHealth::state)
          .containsOnly(SessionState.SAFE);
    }
  }
}
