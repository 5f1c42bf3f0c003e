package io.holdfast.tck.rules.record;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.ConcurrentCalls;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The settings of a namespace: written once, the same for all clients. */
@Topic(
    value = "NSP",
    level = Level.CORE,
    clause = "LockBackend.open: the settings of the namespace")
public interface NamespaceRules extends SpiRules {

  Duration MAX_TTL = Duration.ofSeconds(45);
  Duration MAX_STEP = Duration.ofMillis(700);

  int PARTITIONS = 8;

  /** So many that they lie in all partitions, of a store that has several. */
  List<LockName> NAMES =
      IntStream.range(0, 40).mapToObj(i -> new LockName("partitioned/" + i)).toList();

  private static BackendOptions wish(int partitions, Duration maxTtl, Duration maxClockStep) {
    return new BackendOptions(
        new NamespaceWish(
            OptionalInt.of(partitions), Optional.of(maxTtl), Optional.of(maxClockStep)),
        RestartGuard.ON);
  }

  @Test
  @Rule("HF-NSP-01")
  default void whoComesFirstWritesTheSettings() {
    NamespaceSettings settings = settingsSeenWith(wish(1, MAX_TTL, MAX_STEP));

    assertThat(settings)
        .isEqualTo(new NamespaceSettings(settings.protocol(), 1, MAX_TTL, MAX_STEP));
  }

  @Test
  @Rule("HF-NSP-02")
  default void whatNobodyGaveIsTheDefault() {
    NamespaceSettings defaults = NamespaceWish.NONE.orDefaults();
    NamespaceSettings settings = settingsSeenWith(BackendOptions.DEFAULTS);

    assertThat(settings)
        .isEqualTo(
            new NamespaceSettings(
                settings.protocol(),
                defaults.partitions(),
                defaults.maxTtl(),
                defaults.maxClockStep()));
  }

  @Test
  @Rule(value = "HF-NSP-03", marked = 4)
  default void aSettingThatIsNotGivenIsTakenOver() {
    NamespaceSettings settings = settingsSeenWith(wish(1, MAX_TTL, MAX_STEP));

    assertThat(settingsSeenWith(BackendOptions.DEFAULTS)).isEqualTo(settings);
    assertThat(settings.maxClockStep()).isEqualTo(MAX_STEP);
  }

  @Test
  @Rule("HF-NSP-04")
  default void aSettingThatIsGivenAgainIsAccepted() {
    NamespaceSettings settings = settingsSeenWith(wish(1, MAX_TTL, MAX_STEP));

    assertThat(settingsSeenWith(wish(1, MAX_TTL, MAX_STEP))).isEqualTo(settings);
  }

  /** Two clients that disagree would split a lock in two. */
  @Test
  @Rule(value = "HF-NSP-05", marked = 4)
  default void aSettingThatDiffersIsRefused() {
    settingsSeenWith(wish(1, MAX_TTL, MAX_STEP));

    for (BackendOptions different :
        List.of(
            wish(2, MAX_TTL, MAX_STEP),
            wish(1, MAX_TTL.plusMillis(1), MAX_STEP),
            wish(1, MAX_TTL, MAX_STEP.minusMillis(1)))) {
      assertThatThrownBy(() -> settingsSeenWith(different))
          .as("%s", different.namespace())
          .isInstanceOf(BadRequestException.class);
    }
    assertThat(settingsSeenWith(BackendOptions.DEFAULTS).maxTtl()).isEqualTo(MAX_TTL);
  }

  @Test
  @Rule("HF-NSP-06")
  default void aDefaultThatWasWrittenIsASettingLikeAnyOther() {
    settingsSeenWith(BackendOptions.DEFAULTS);

    assertThatThrownBy(() -> settingsSeenWith(wish(1, MAX_TTL, MAX_STEP)))
        .isInstanceOf(BadRequestException.class);
  }

  /** The restart guard waits for the longest lease there can be, so there must be a longest. */
  @Test
  @Rule("HF-NSP-07")
  default void aTtlAboveTheGreatestIsRefusedBeforeAnythingChanges() {
    settingsSeenWith(wish(1, MAX_TTL, MAX_STEP));
    LockBackend backend = fixture().connect(BackendOptions.DEFAULTS);
    SessionSpec spec = StoreFixture.spec(MAX_TTL.plusMillis(1));

    assertThatThrownBy(() -> backend.open(spec, StoreFixture.soon()))
        .isInstanceOf(BadRequestException.class);

    assertThat(backend.renew(spec.id(), StoreFixture.soon())).isEqualTo(new Renewed.Over());
    assertThat(backend.open(StoreFixture.spec(MAX_TTL), StoreFixture.soon()).ttl()).isPositive();
  }

  @Test
  @Rule("HF-NSP-08")
  default void aClientThatWasRefusedHasNoSession() {
    settingsSeenWith(wish(1, MAX_TTL, MAX_STEP));
    SessionSpec spec = StoreFixture.spec(LONG);

    assertThatThrownBy(
            () ->
                fixture()
                    .connect(wish(1, MAX_TTL.plusMillis(1), MAX_STEP))
                    .open(spec, StoreFixture.soon()))
        .isInstanceOf(BadRequestException.class);

    assertThat(fixture().connect(BackendOptions.DEFAULTS).renew(spec.id(), StoreFixture.soon()))
        .isEqualTo(new Renewed.Over());
  }

  @Test
  @Rule(value = "HF-NSP-09", marked = 4)
  default void ofManyWhoComeFirstAtOnceOneWritesTheSettings() {
    List<Optional<NamespaceSettings>> seen =
        ConcurrentCalls.call(IntStream.range(0, 6).mapToObj(this::comingFirst).toList());

    NamespaceSettings settings = settingsSeenWith(BackendOptions.DEFAULTS);
    assertThat(seen).contains(Optional.of(settings));
    assertThat(seen).allMatch(each -> each.isEmpty() || each.get().equals(settings));
  }

  private Callable<Optional<NamespaceSettings>> comingFirst(int index) {
    Duration maxTtl = MAX_TTL.plusSeconds(index % 2);
    return () -> {
      try {
        return Optional.of(settingsSeenWith(wish(1, maxTtl, MAX_STEP)));
      } catch (BadRequestException refused) {
        return Optional.empty();
      }
    };
  }

  /** Where the sessions of that lock lie, the namespace's settings need not lie. */
  @Test
  @Rule(value = "HF-NSP-10", marked = 4)
  default void theSettingsCountWhicheverLockIsUsedFirst() {
    LockBackend first = fixture().connect(wish(PARTITIONS, MAX_TTL, MAX_STEP));
    LockName name = nameOfTheLastPartition(first);
    NamespaceSettings settings = openedFor(name, first);

    LockBackend second = fixture().connect(BackendOptions.DEFAULTS);

    assertThat(second.partition(name)).isEqualTo(first.partition(name));
    assertThat(NAMES.stream().map(second::partition).distinct())
        .allSatisfy(each -> assertThat(openedIn(each, second)).isEqualTo(settings));
    assertThatThrownBy(() -> settingsSeenWith(wish(PARTITIONS / 2, MAX_TTL, MAX_STEP)))
        .isInstanceOf(BadRequestException.class);
  }

  /** Both have found no settings. */
  @Test
  @Rule(value = "HF-NSP-11", marked = 4)
  default void whoConnectedEarlierHasNoSessionElsewhereThanWhoComesFirst() {
    LockBackend first = fixture().connect(wish(PARTITIONS, MAX_TTL, MAX_STEP));
    List<LockBackend> others =
        Stream.of(wish(PARTITIONS / 2, MAX_TTL, MAX_STEP), BackendOptions.DEFAULTS)
            .flatMap(options -> unlessRefused(() -> fixture().connect(options)).stream())
            .toList();
    LockName name = nameOfTheLastPartition(first);
    NamespaceSettings settings = openedFor(name, first);

    for (LockBackend other : others) {
      unlessRefused(() -> openedFor(name, other))
          .ifPresent(
              seen -> {
                assertThat(seen).isEqualTo(settings);
                assertThat(other.partition(name)).isEqualTo(first.partition(name));
              });
    }
  }

  private static LockName nameOfTheLastPartition(LockBackend backend) {
    return NAMES.stream().max(Comparator.comparing(backend::partition)).orElseThrow();
  }

  /** Opens a session as a client does that wants that lock. */
  private static NamespaceSettings openedFor(LockName name, LockBackend backend) {
    return openedIn(backend.partition(name), backend);
  }

  private static NamespaceSettings openedIn(int partition, LockBackend backend) {
    SessionSpec spec = StoreFixture.spec(LONG);
    return backend
        .open(
            new SessionSpec(spec.id(), spec.ttl(), partition, spec.process()), StoreFixture.soon())
        .namespace();
  }

  private static <T> Optional<T> unlessRefused(Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (BadRequestException | BackendUnusableException refused) {
      return Optional.empty();
    }
  }

  /** Connects again, since a setting may be refused when connecting or when opening a session. */
  private NamespaceSettings settingsSeenWith(BackendOptions options) {
    return fixture()
        .connect(options)
        .open(StoreFixture.spec(LONG), StoreFixture.soon())
        .namespace();
  }
}
