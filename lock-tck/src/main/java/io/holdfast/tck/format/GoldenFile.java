package io.holdfast.tck.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The records of an adapter by one protocol version: {@code golden/STORE/vN.txt} in the resources
 * of the adapter's tests, and {@code vN-modes.txt} where the store shares locks and keeps them for
 * a time. A version that was published never changes, so a file is written once.
 *
 * <pre>{@code
 * # a comment
 * [PLACE OF A RECORD]
 * FIELD = VALUE
 *   | A VALUE'S NEXT LINE
 * }</pre>
 */
final class GoldenFile {

  /** Set to {@code true} it has missing files written. Files that are there are never changed. */
  static final String WRITE = "holdfast.golden.write";

  private static final String CONTINUED = "  | ";
  private static final String ASSIGNED = " =";

  private final String store;
  private final int protocol;
  private final Contents contents;
  private final Path file;

  /** The contents of a golden file. */
  enum Contents {
    /** The state of {@link Scenario}. */
    LOCKS(""),
    /** The state of {@link ModesScenario}. */
    MODES("-modes");

    private final String suffix;

    Contents(String suffix) {
      this.suffix = suffix;
    }
  }

  GoldenFile(String store, int protocol) {
    this(store, protocol, Contents.LOCKS);
  }

  GoldenFile(String store, int protocol, Contents contents) {
    this.store = store;
    this.protocol = protocol;
    this.contents = contents;
    this.file = Path.of("src", "test", "resources").resolve(name(protocol));
  }

  private String name(int version) {
    return "golden/%s/v%s%s.txt".formatted(store, version, contents.suffix);
  }

  private String name() {
    return name(protocol);
  }

  /** Checks that it is there. */
  void requirePresent() {
    assertThat(file)
        .as(
            "Each protocol version has a golden file, and the older ones stay. %s is missing: restore it, or, if the protocol version was just raised, run this test once with -D%s=true and read the file that it writes",
            name(), WRITE)
        .exists();
  }

  /** Compares it with what was stored just now. Writes it if it is missing and that was asked. */
  void requireEqual(List<StoredRecord> stored) {
    String records = stored.stream().map(StoredRecord::render).collect(Collectors.joining("\n"));
    if (!Files.exists(file) && Boolean.getBoolean(WRITE)) {
      write(records);
      fail("%s was written. Read it, and run this test again.", name());
    }
    List<StoredRecord> golden = records();
    for (int i = 0; i < Math.min(stored.size(), golden.size()); i++) {
      assertThat(stored.get(i).render()).as(changed()).isEqualTo(golden.get(i).render());
    }
    assertThat(stored).as(changed()).hasSameSizeAs(golden);
  }

  private String changed() {
    return "the stored format changed: raise the protocol version, and add " + name(protocol + 1);
  }

  private void write(String records) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(
          file,
          "# What the %s adapter stores by protocol version %s. Never changed once published.\n# See docs/writing-an-adapter.md.\n\n%s"
              .formatted(store, protocol, records),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads its records. */
  List<StoredRecord> records() {
    requirePresent();
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<StoredRecord> records = new ArrayList<>();
    String place = "";
    Map<String, String> fields = new LinkedHashMap<>();
    String field = "";
    for (String line : lines) {
      if (line.startsWith("[")) {
        add(records, place, fields);
        place = line.substring(1, line.length() - 1);
        fields.clear();
      } else if (line.startsWith(CONTINUED)) {
        fields.merge(field, line.substring(CONTINUED.length()), String::concat);
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        int assigned = line.indexOf(ASSIGNED);
        field = line.substring(0, assigned);
        fields.put(field, line.substring(assigned + ASSIGNED.length()).stripLeading());
      }
    }
    add(records, place, fields);
    return records;
  }

  private static void add(List<StoredRecord> records, String place, Map<String, String> fields) {
    if (!place.isEmpty()) {
      records.add(new StoredRecord(place, fields));
    }
  }
}
