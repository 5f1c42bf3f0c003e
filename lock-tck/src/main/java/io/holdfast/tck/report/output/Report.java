package io.holdfast.tck.report.output;

import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The results of all test classes of one adapter together.
 *
 * @param adapter its name
 * @param runs the classes, by name
 * @param claims how each claim stands, in the order of {@link Claim}
 * @param levels how each level stands
 * @param rules how each rule stands, by id
 */
record Report(
    String adapter,
    List<Run> runs,
    List<ClaimVerdict> claims,
    Map<Level, Status> levels,
    List<RuleVerdict> rules) {

  /** How a claim stands, and by what, or why. */
  record ClaimVerdict(Claim claim, Status status, String reason) {}

  /** How a rule stands, by which classes, or why. */
  record RuleVerdict(Result rule, List<String> classes) {}

  /** One test's result in one class; in none, if nothing has run it. */
  private record Shown(Optional<String> testClass, Result result) {}

  /**
   * Puts runs together.
   *
   * @param kit all rules of the kit: what no class of an adapter has is not proved of it
   */
  static List<Report> of(Collection<Run> runs, List<Result> kit) {
    return runs.stream()
        .collect(Collectors.groupingBy(Run::adapter, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(adapter -> of(adapter.getKey(), adapter.getValue(), kit))
        .toList();
  }

  private static Report of(String adapter, List<Run> runs, List<Result> kit) {
    List<Shown> all = new ArrayList<>();
    runs.forEach(
        run ->
            run.results()
                .forEach(result -> all.add(new Shown(Optional.of(run.testClass()), result))));
    Set<String> tried = all.stream().map(shown -> shown.result().id()).collect(Collectors.toSet());
    kit.stream()
        .filter(rule -> !tried.contains(rule.id()))
        .forEach(rule -> all.add(new Shown(Optional.empty(), rule)));
    List<RuleVerdict> rules =
        verdicts(all.stream().filter(shown -> shown.result().isRule()).toList());
    return new Report(adapter, List.copyOf(runs), claims(runs, all), levels(rules), rules);
  }

  /** One class may show what another cannot; what fails in one has failed. */
  private static List<RuleVerdict> verdicts(List<Shown> all) {
    return all.stream()
        .collect(
            Collectors.groupingBy(
                shown -> shown.result().title(), TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(Report::verdict)
        .toList();
  }

  private static RuleVerdict verdict(List<Shown> runs) {
    Status status =
        has(runs, Status.FAILED)
            ? Status.FAILED
            : runs.stream()
                .map(shown -> shown.result().status())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    List<Shown> decisive = runs.stream().filter(is(status)).toList();
    return new RuleVerdict(
        decisive.get(0).result(),
        decisive.stream().flatMap(shown -> shown.testClass().stream()).toList());
  }

  private static List<ClaimVerdict> claims(List<Run> runs, List<Shown> all) {
    Set<Claim> claimed = EnumSet.noneOf(Claim.class);
    runs.forEach(run -> claimed.addAll(run.claims()));
    return claimed.stream()
        .map(
            claim ->
                claim(
                    claim,
                    all.stream().filter(shown -> shown.result().proves().contains(claim)).toList()))
        .toList();
  }

  private static ClaimVerdict claim(Claim claim, List<Shown> tests) {
    if (has(tests, Status.FAILED)) {
      return new ClaimVerdict(claim, Status.FAILED, "Refuted by " + names(tests, Status.FAILED));
    }
    Map<String, List<Result>> groups =
        verdicts(tests).stream()
            .map(RuleVerdict::rule)
            .collect(Collectors.groupingBy(Result::group, TreeMap::new, Collectors.toList()));
    if (groups.values().stream().anyMatch(Report::isProof)) {
      return new ClaimVerdict(claim, Status.PASSED, "By " + names(tests, Status.PASSED));
    }
    String why =
        has(tests, Status.PASSED)
            ? "Not by " + names(tests, Status.PASSED) + " alone. " + open(groups)
            : tests.stream()
                .map(shown -> shown.result().reason())
                .distinct()
                .collect(Collectors.joining(" "));
    return new ClaimVerdict(
        claim, Status.NOT_PROVED, why.isEmpty() ? "No test of this adapter could refute it." : why);
  }

  /** A needed test that was not run might refute it. */
  private static boolean isProof(List<Result> tests) {
    List<Status> needed =
        tests.stream().filter(Result::isNeeded).map(Result::status).distinct().toList();
    return needed.contains(Status.PASSED) && !needed.contains(Status.NOT_PROVED);
  }

  private static String open(Map<String, List<Result>> groups) {
    return groups.values().stream()
        .flatMap(List::stream)
        .filter(test -> test.isNeeded() && test.status() == Status.NOT_PROVED)
        .map(test -> test.title() + ": " + test.reason())
        .collect(Collectors.joining(" "));
  }

  private static String names(List<Shown> tests, Status status) {
    return tests.stream()
        .filter(is(status))
        .map(shown -> shown.result().title())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** Soak rules are for those who want more: a level is proved without them. */
  private static Map<Level, Status> levels(List<RuleVerdict> rules) {
    Map<Level, Status> levels = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      List<Status> statuses =
          rules.stream()
              .map(RuleVerdict::rule)
              .filter(rule -> rule.level() == level)
              .filter(rule -> !rule.soak() || rule.status() == Status.FAILED)
              .map(Result::status)
              .toList();
      if (statuses.contains(Status.FAILED)) {
        levels.put(level, Status.FAILED);
      } else if (statuses.contains(Status.NOT_PROVED) || statuses.isEmpty()) {
        levels.put(level, Status.NOT_PROVED);
      } else {
        levels.put(level, statuses.contains(Status.PASSED) ? Status.PASSED : Status.NOT_APPLICABLE);
      }
    }
    return levels;
  }

  /** Returns how it all ends, in a line. */
  String line() {
    Map<Status, Long> counts = new LinkedHashMap<>(counts());
    return "Holdfast TCK %s: %s: %s rules PASSED, %s FAILED, %s NOT PROVED; proved: %s; %s."
        .formatted(
            kit(),
            adapter,
            counts.getOrDefault(Status.PASSED, 0L),
            counts.getOrDefault(Status.FAILED, 0L),
            counts.getOrDefault(Status.NOT_PROVED, 0L),
            levels(Status.PASSED),
            openClaims());
  }

  private String openClaims() {
    if (claims.isEmpty()) {
      return "no claim known";
    }
    String open =
        claims.stream()
            .filter(claim -> claim.status() != Status.PASSED)
            .map(claim -> claim.claim() + " " + claim.status())
            .collect(Collectors.joining(", "));
    return open.isEmpty() ? "every claim PROVED" : "claims: " + open;
  }

  /** Returns the levels that stand so, by name. */
  String levels(Status status) {
    String names =
        levels.entrySet().stream()
            .filter(level -> level.getValue() == status)
            .map(level -> level.getKey().name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "no level" : names;
  }

  Map<Status, Long> counts() {
    return rules.stream()
        .filter(verdict -> !verdict.rule().soak() || verdict.rule().status() != Status.NOT_PROVED)
        .collect(
            Collectors.groupingBy(
                verdict -> verdict.rule().status(),
                () -> new EnumMap<>(Status.class),
                Collectors.counting()));
  }

  String kit() {
    return runs.get(0).kit();
  }

  private static boolean has(List<Shown> tests, Status status) {
    return tests.stream().anyMatch(is(status));
  }

  private static Predicate<Shown> is(Status status) {
    return shown -> shown.result().status() == status;
  }
}
