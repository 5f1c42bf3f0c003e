package io.holdfast.tck.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the files that {@link HistoryWriter}s wrote. */
final class HistoryReader {

  private HistoryReader() {}

  static List<HistoryEvent> readDirectory(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(HistoryWriter.SUFFIX))
          .sorted()
          .flatMap(file -> readFile(file).stream())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a file up to its last line break: what follows was torn by the end of its writer. */
  static List<HistoryEvent> readFile(Path file) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<HistoryEvent> events = new ArrayList<>();
    int begin = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
      try {
        events.add(HistoryLine.parse(text.substring(begin, end)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "Line %s of %s cannot be read: %s".formatted(events.size() + 1, file, e.getMessage()),
            e);
      }
      begin = end + 1;
    }
    return events;
  }
}
