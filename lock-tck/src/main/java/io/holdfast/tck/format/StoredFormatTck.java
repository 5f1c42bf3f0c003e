package io.holdfast.tck.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.LockMode;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.tck.format.GoldenFile.Contents;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Guards the stored format of an adapter by golden files. To be extended by a test class of the
 * adapter.
 *
 * <p>Processes with different versions of the library may share a store, and so a format that
 * changes needs another protocol version ({@link NamespaceSettings#PROTOCOL}, or the adapter's
 * own). Records of an older version are either read or refused; they are never taken for something
 * else.
 */
public abstract class StoredFormatTck {

  private final String store;
  private final int protocol;

  /**
   * Names the store.
   *
   * @param store the directory of its golden files below {@code src/test/resources/golden}
   */
  protected StoredFormatTck(String store) {
    this(store, NamespaceSettings.PROTOCOL);
  }

  /**
   * Names a store whose layout has a version of its own.
   *
   * @param store the directory of its golden files below {@code src/test/resources/golden}
   * @param protocol the version that the adapter writes
   */
  protected StoredFormatTck(String store, int protocol) {
    this.store = store;
    this.protocol = protocol;
  }

  /** Returns an empty namespace, which the test closes. */
  protected abstract StoredState openState() throws Exception;

  /**
   * Returns which text forms of {@code io.holdfast.spi.support} the store keeps, each with the
   * field that has it.
   */
  protected Map<CommonText, String> commonTexts() {
    return Map.of();
  }

  /** The records are those of the golden file of the present protocol version. */
  @Test
  protected final void whatIsStoredChangesOnlyWithTheProtocolVersion() throws Exception {
    try (StoredState state = openState()) {
      new GoldenFile(store, protocol)
          .requireEqual(writeByAdapter(state, StoredFormatTck::writeLocks, new HashMap<>()));
    }
  }

  /**
   * As above, of shared requests and of those that keep their lock for a time. Skipped where the
   * store has not both.
   */
  @Test
  protected final void whatModesAndTimesStoreChangesOnlyWithTheProtocolVersion() throws Exception {
    try (StoredState state = openState()) {
      assumeModesAndTimes(state);
      new GoldenFile(store, protocol, Contents.MODES)
          .requireEqual(writeByAdapter(state, StoredFormatTck::writeModes, new HashMap<>()));
    }
  }

  /** The adapter reads what the present version stores of modes and times. */
  @Test
  protected final void whatModesAndTimesStoreIsRead() throws Exception {
    try (StoredState state = openState()) {
      assumeModesAndTimes(state);
      List<StoredRecord> records = new GoldenFile(store, protocol, Contents.MODES).records();
      state.write(records, writeOnce(state, StoredFormatTck::writeModes));
      try (LockBackend backend = state.connect(Scenario.OPTIONS)) {
        new ModesScenario(backend).read();
      }
    }
  }

  private static void assumeModesAndTimes(StoredState state) {
    try (LockBackend backend = state.connect(Scenario.OPTIONS)) {
      Capabilities capabilities = backend.capabilities();
      assumeTrue(
          capabilities.modes().contains(LockMode.SHARED)
              && capabilities.stays().containsAll(EnumSet.allOf(Stays.class)),
          "This store has no shared mode, or cannot keep a lock for a time.");
    }
    state.clear();
  }

  /** No golden file was removed. */
  @Test
  protected final void everyProtocolVersionHasItsGoldenFile() {
    versions().forEach(version -> new GoldenFile(store, version).requirePresent());
  }

  /** A record that several stores keep in one form is the same text in each. */
  @Test
  protected final void commonTextsAreTheSameInEveryStore() {
    versions()
        .forEach(
            version ->
                commonTexts()
                    .forEach(
                        (text, field) ->
                            assertThat(new GoldenFile(store, version).records())
                                .as(
                                    "golden/%s/v%s.txt has the golden %s text",
                                    store, version, text)
                                .anyMatch(stored -> text.isIn(stored, field, version))));
  }

  /** The adapter reads the records of each version, or refuses them as a whole. */
  @TestFactory
  protected final Stream<DynamicTest> whatAVersionStoredIsReadOrRefused() {
    return versions()
        .mapToObj(version -> DynamicTest.dynamicTest("v" + version, () -> readOrRefuse(version)));
  }

  /** Unless a session lives there, each version that is refused can be retired. */
  @TestFactory
  protected final Stream<DynamicTest> whatARefusedVersionStoredIsRetired() {
    return versions()
        .filter(version -> !isReadable(version))
        .mapToObj(version -> DynamicTest.dynamicTest("v" + version, () -> retire(version)));
  }

  private void retire(int version) throws Exception {
    try (StoredState state = openState()) {
      new RetirementCheck(state, version, new GoldenFile(store, version).records())
          .run(writeOnce(state, StoredFormatTck::writeLocks));
    }
  }

  /** Returns what placeholders stand for, and leaves nothing behind. */
  private static Map<String, String> writeOnce(StoredState state, Consumer<LockBackend> scenario) {
    Map<String, String> values = new HashMap<>();
    writeByAdapter(state, scenario, values);
    state.clear();
    return values;
  }

  private IntStream versions() {
    return IntStream.rangeClosed(1, protocol);
  }

  private void readOrRefuse(int version) throws Exception {
    List<StoredRecord> records = new GoldenFile(store, version).records();
    try (StoredState state = openState()) {
      Map<String, String> values = writeOnce(state, StoredFormatTck::writeLocks);
      assertThat(state.read()).as("what is left after clear()").isEmpty();
      state.write(records, values);
      if (isReadable(version)) {
        try (LockBackend backend = state.connect(Scenario.OPTIONS)) {
          new Scenario(backend).read(state::number);
        }
      } else {
        requireRefused(state, version);
      }
    }
  }

  /** Returns the records that the adapter writes, with placeholders. */
  private static List<StoredRecord> writeByAdapter(
      StoredState state, Consumer<LockBackend> scenario, Map<String, String> values) {
    try (LockBackend backend = state.connect(Scenario.OPTIONS)) {
      scenario.accept(backend);
      return state.read().stream()
          .map(record -> record.masked(state.placeholders(), values))
          .toList();
    }
  }

  private static void writeLocks(LockBackend backend) {
    new Scenario(backend).write();
  }

  private static void writeModes(LockBackend backend) {
    new ModesScenario(backend).write();
  }

  private boolean isReadable(int version) {
    NamespaceSettings present = Scenario.OPTIONS.namespace().orDefaults();
    try {
      new NamespaceSettings(version, present.partitions(), present.maxTtl(), present.maxClockStep())
          .requireReadable("a golden file", protocol);
      return true;
    } catch (BackendUnusableException e) {
      return false;
    }
  }

  private static void requireRefused(StoredState state, int version) {
    assertThatThrownBy(
            () -> {
              try (LockBackend backend = state.connect(BackendOptions.DEFAULTS)) {
                new Scenario(backend).openAnother();
              }
            })
        .as("opening a session in a namespace of protocol version %s", version)
        .isInstanceOf(BackendUnusableException.class);
  }
}
