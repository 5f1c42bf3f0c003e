package io.holdfast.tck.report.output;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A report for people. */
final class ReportMarkdown {

  private static final int REASON_MAX = 300;

  private ReportMarkdown() {}

  static String of(Report report) {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(report.adapter()).append("\n\n");
    text.append(counts(report)).append("\n\n");
    text.append("| level | |\n|---|---|\n");
    report
        .levels()
        .forEach(
            (level, status) -> text.append(row(level.name().toLowerCase(Locale.ROOT), status)));
    text.append("\n## Claims\n\n| claim | | |\n|---|---|---|\n");
    report.claims().forEach(claim -> text.append(claim(claim)));
    text.append("\n## Test classes\n\n");
    text.append("| class | losses | what tests can do to the store | run |\n|---|---|---|---|\n");
    report.runs().forEach(run -> text.append(run(run)));
    section(text, report, Status.FAILED, "Rules that do not hold");
    section(text, report, Status.NOT_PROVED, "Rules that are not proved");
    section(text, report, Status.NOT_APPLICABLE, "Rules that do not apply");
    passed(text, report);
    return text.toString();
  }

  private static String counts(Report report) {
    Map<Status, Long> counts = report.counts();
    return "Kit %s: %s rules hold, %s do not, %s are not proved, %s do not apply."
        .formatted(
            report.kit(),
            counts.getOrDefault(Status.PASSED, 0L),
            counts.getOrDefault(Status.FAILED, 0L),
            counts.getOrDefault(Status.NOT_PROVED, 0L),
            counts.getOrDefault(Status.NOT_APPLICABLE, 0L));
  }

  private static String claim(Report.ClaimVerdict verdict) {
    return row(
        verdict.claim() + ": " + verdict.claim().says(),
        verdict.status() == Status.PASSED ? "PROVED" : verdict.status(),
        verdict.reason());
  }

  private static String run(Run run) {
    return row(
        run.testClass(),
        run.losses(),
        String.join(", ", run.controls()),
        LocalDate.ofInstant(run.ended(), ZoneOffset.UTC));
  }

  private static void section(StringBuilder text, Report report, Status status, String title) {
    List<Report.RuleVerdict> rules =
        report.rules().stream().filter(verdict -> verdict.rule().status() == status).toList();
    if (rules.isEmpty()) {
      return;
    }
    text.append("\n## ")
        .append(title)
        .append("\n\n| id | rule | tests | why |\n|---|---|---|---|\n");
    for (Report.RuleVerdict verdict : rules) {
      Result rule = verdict.rule();
      text.append(row(rule.id(), "`" + rule.name() + "`", rule.clause(), rule.reason()));
    }
  }

  private static void passed(StringBuilder text, Report report) {
    text.append("\n## Rules that hold\n\n| id | rule | in |\n|---|---|---|\n");
    report.rules().stream()
        .filter(verdict -> verdict.rule().status() == Status.PASSED)
        .forEach(
            verdict ->
                text.append(
                    row(
                        verdict.rule().id(),
                        "`" + verdict.rule().name() + "`",
                        String.join(", ", verdict.classes()))));
  }

  private static String row(Object... cells) {
    return Arrays.stream(cells)
        .map(cell -> cell.toString().replace("\n", " ").replace("|", "\\|"))
        .map(cell -> cell.length() > REASON_MAX ? cell.substring(0, REASON_MAX) + " …" : cell)
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
