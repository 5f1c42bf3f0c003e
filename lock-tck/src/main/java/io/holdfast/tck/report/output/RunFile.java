package io.holdfast.tck.report.output;

import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run as text, for other JVMs of the same build: a line of fields for each thing, with tabs.
 *
 * @param build what the run was made of
 */
record RunFile(Build build, Run run) {

  private static final String RUN = "run";
  private static final String RESULT = "result";

  /** The end of its name. */
  static final String SUFFIX = ".run";

  /** Returns its name. Two classes may have one simple name, and an adapter any name. */
  static String nameOf(Run run) {
    return FileName.of(run.adapter()) + "-" + FileName.of(run.className()) + SUFFIX;
  }

  List<String> format() {
    Stream<String> head =
        Stream.of(
            line(
                RUN,
                build.classPath(),
                build.digest(),
                run.adapter(),
                run.kit(),
                run.className(),
                run.ended().toString(),
                run.store(),
                run.losses(),
                claims(run.claims()),
                String.join(",", run.controls()),
                Integer.toString(run.results().size())));
    return Stream.concat(head, run.results().stream().map(RunFile::format)).toList();
  }

  private static String format(Result result) {
    return line(
        RESULT,
        result.id(),
        result.name(),
        result.level().name(),
        result.clause(),
        Boolean.toString(result.soak()),
        claims(result.proves()),
        Boolean.toString(result.isNeeded()),
        result.status().name(),
        result.reason());
  }

  /**
   * Reads a run.
   *
   * @throws IllegalArgumentException if it is none
   */
  static RunFile parse(List<String> lines) {
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("It is empty.");
    }
    List<String> run = fields(lines.get(0), RUN, 12);
    List<Result> results = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      results.add(result(fields(line, RESULT, 10)));
    }
    if (!run.get(11).equals(Integer.toString(results.size()))) {
      throw new IllegalArgumentException("It lacks results: " + results.size());
    }
    return new RunFile(
        new Build(run.get(1), run.get(2)),
        new Run(
            run.get(3),
            run.get(4),
            run.get(5),
            ended(run.get(6)),
            run.get(7),
            run.get(8),
            claims(run.get(9)),
            names(run.get(10)).toList(),
            results));
  }

  private static Instant ended(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("Not a time: " + text, e);
    }
  }

  private static Result result(List<String> fields) {
    return new Result(
        fields.get(1),
        fields.get(2),
        Level.valueOf(fields.get(3)),
        fields.get(4),
        Boolean.parseBoolean(fields.get(5)),
        claims(fields.get(6)),
        Boolean.parseBoolean(fields.get(7)),
        Status.valueOf(fields.get(8)),
        fields.get(9));
  }

  private static String claims(Set<Claim> claims) {
    return claims.stream().sorted().map(Claim::name).collect(Collectors.joining(","));
  }

  private static Set<Claim> claims(String text) {
    return names(text).map(Claim::valueOf).collect(Collectors.toSet());
  }

  private static Stream<String> names(String text) {
    return Arrays.stream(text.split(",", -1)).filter(name -> !name.isEmpty());
  }

  private static String line(String... fields) {
    return Arrays.stream(fields)
        .map(field -> field.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n"))
        .map(field -> field.replace("\r", ""))
        .collect(Collectors.joining("\t"));
  }

  private static List<String> fields(String line, String kind, int number) {
    List<String> fields = Arrays.stream(line.split("\t", -1)).map(RunFile::unescaped).toList();
    if (fields.size() != number || !fields.get(0).equals(kind)) {
      throw new IllegalArgumentException("Not a line of a run of the kit: " + line);
    }
    return fields;
  }

  private static String unescaped(String field) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '\\' && i + 1 < field.length()) {
        i++;
        char escaped = field.charAt(i);
        text.append(escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped);
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
