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
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What all test classes of one adapter have shown together.
 *
 * @param adapter what it is called
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

  /** One test's result in one class. */
  private record Shown(String testClass, Result result) {}

  static List<Report> of(Collection<Run> runs) {
    return runs.stream()
        .collect(Collectors.groupingBy(Run::adapter, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(adapter -> of(adapter.getKey(), adapter.getValue()))
        .toList();
  }

  private static Report of(String adapter, List<Run> runs) {
    List<Shown> all = new ArrayList<>();
    runs.forEach(
        run -> run.results().forEach(result -> all.add(new Shown(run.testClass(), result))));
    List<RuleVerdict> rules = rules(all);
    return new Report(adapter, List.copyOf(runs), claims(runs, all), levels(rules), rules);
  }

  /** One class may show what another cannot; what fails in one has failed. */
  private static List<RuleVerdict> rules(List<Shown> all) {
    return all.stream()
        .filter(shown -> shown.result().isRule())
        .collect(
            Collectors.groupingBy(shown -> shown.result().id(), TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(Report::rule)
        .toList();
  }

  private static RuleVerdict rule(List<Shown> runs) {
    Status status =
        has(runs, Status.FAILED)
            ? Status.FAILED
            : runs.stream()
                .map(shown -> shown.result().status())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    List<Shown> decisive = runs.stream().filter(is(status)).toList();
    return new RuleVerdict(
        decisive.get(0).result(), decisive.stream().map(Shown::testClass).toList());
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
    if (has(tests, Status.PASSED)) {
      return new ClaimVerdict(claim, Status.PASSED, "By " + names(tests, Status.PASSED));
    }
    String why =
        tests.stream()
            .map(shown -> shown.result().reason())
            .distinct()
            .collect(Collectors.joining(" "));
    return new ClaimVerdict(
        claim, Status.NOT_PROVED, why.isEmpty() ? "No test of this adapter could refute it." : why);
  }

  private static String names(List<Shown> tests, Status status) {
    return tests.stream()
        .filter(is(status))
        .map(shown -> shown.result().isRule() ? shown.result().id() : shown.result().name())
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
