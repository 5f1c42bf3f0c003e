package io.holdfast.cli.commands;

import io.holdfast.LockMode;
import io.holdfast.cli.output.Durations;
import io.holdfast.cli.store.NamedStore;
import io.holdfast.cli.waiting.Wait;
import io.holdfast.error.BadRequestException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the arguments of {@code run} where they are plain: {@code run NAME -- COMMAND} or {@code
 * run NAME -c LINE}, with options by their own names, once each, and valid values. Everything else,
 * such as a mistake or a call for help, is left to the general parser, which alone reports on it.
 *
 * <p>That parser costs a JVM more to start than all that {@code run} does besides. Both read every
 * plain call alike, see {@code PlainRunTest}.
 */
public final class PlainRun {

  /** The options that have a value, each under its long name. */
  private static final Map<String, String> VALUED =
      Map.ofEntries(
          Map.entry("-w", "--wait"),
          Map.entry("--wait", "--wait"),
          Map.entry("--retry", "--retry"),
          Map.entry("-c", "--command"),
          Map.entry("--command", "--command"),
          Map.entry("-t", "--ttl"),
          Map.entry("--ttl", "--ttl"),
          Map.entry("-b", "--backend"),
          Map.entry("--backend", "--backend"),
          Map.entry("--backend-file", "--backend-file"),
          Map.entry("--why", "--why"),
          Map.entry("--at-least", "--at-least"),
          Map.entry("--at-most", "--at-most"),
          Map.entry("--lock-delay", "--lock-delay"));

  private static final Map<String, String> FLAGS =
      Map.of(
          "-q",
          "--quiet",
          "--quiet",
          "--quiet",
          "--foreground",
          "--foreground",
          "--shared",
          "--shared");

  /** A flag is its own value. */
  private final Map<String, String> given = new TreeMap<>();

  private @Nullable String name;

  private PlainRun() {}

  /** Returns what the arguments ask for; empty if they are not plain. */
  public static Optional<RunRequest> of(String... arguments) {
    if (arguments.length == 0 || !arguments[0].equals("run")) {
      return Optional.empty();
    }
    int dashes = Arrays.asList(arguments).indexOf("--");
    int end = dashes < 0 ? arguments.length : dashes;
    PlainRun plain = new PlainRun();
    int at = 1;
    while (at < end) {
      int words = plain.take(arguments[at], at + 1 < end ? arguments[at + 1] : "");
      if (words == 0) {
        return Optional.empty();
      }
      at += words;
    }
    return plain.request(
        List.of(arguments).subList(Math.min(end + 1, arguments.length), arguments.length));
  }

  /** Takes a word, and the next one if it is the value; returns how many. None if not plain. */
  private int take(String word, String next) {
    if (!word.startsWith("-")) {
      boolean first = name == null && !word.isEmpty();
      name = word;
      return first ? 1 : 0;
    }
    @Nullable String flag = FLAGS.get(word);
    if (flag != null) {
      return given.put(flag, flag) == null ? 1 : 0;
    }
    int equals = word.startsWith("--") ? word.indexOf('=') : -1;
    @Nullable String option = VALUED.get(equals < 0 ? word : word.substring(0, equals));
    String value = equals < 0 ? next : word.substring(equals + 1);
    // An empty value, or one that looks like an option, needs the rules of the general parser.
    if (option == null || value.isEmpty() || value.startsWith("-")) {
      return 0;
    }
    return given.put(option, value) != null ? 0 : equals < 0 ? 2 : 1;
  }

  private Optional<Duration> duration(String option) {
    @Nullable String text = given.get(option);
    return text == null ? Optional.empty() : Optional.of(Durations.parse(text));
  }

  /** Behind the dashes or in a line for the shell there is a command; not in both. */
  private Optional<RunRequest> request(List<String> words) {
    @Nullable String lock = name;
    @Nullable String line = given.get("--command");
    if (lock == null || words.isEmpty() == (line == null)) {
      return Optional.empty();
    }
    try {
      @Nullable String wait = given.get("--wait");
      @Nullable String retry = given.get("--retry");
      @Nullable String ttl = given.get("--ttl");
      RunTimes times =
          new RunTimes(duration("--at-least"), duration("--at-most"), duration("--lock-delay"));
      @Nullable String file = given.get("--backend-file");
      return Optional.of(
          new RunRequest(
              lock,
              line == null ? words : RunRequest.shell(line),
              wait == null ? times.usualWait() : Wait.parse(wait),
              retry == null ? Optional.empty() : Optional.of(Wait.parse(retry)),
              ttl == null ? RunRequest.USUAL_TTL : Durations.parse(ttl),
              given.containsKey("--shared") ? LockMode.SHARED : LockMode.EXCLUSIVE,
              times,
              given.getOrDefault("--why", ""),
              given.containsKey("--foreground"),
              given.containsKey("--quiet"),
              new NamedStore(given.get("--backend"), file == null ? null : Path.of(file))));
    } catch (Durations.NotOneException | InvalidPathException | BadRequestException e) {
      return Optional.empty();
    }
  }
}
