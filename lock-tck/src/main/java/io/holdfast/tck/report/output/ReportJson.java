package io.holdfast.tck.report.output;

import io.holdfast.tck.claim.Level;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The reports as JSON, for programs. */
final class ReportJson {

  private ReportJson() {}

  static String of(List<Report> reports) {
    return text(object("adapters", reports.stream().map(ReportJson::adapter).toList()), "") + "\n";
  }

  private static Map<String, Object> adapter(Report report) {
    return object(
        "adapter", report.adapter(),
        "kit", report.kit(),
        "summary", report.line(),
        "levels", levels(report.levels()),
        "claims", report.claims().stream().map(ReportJson::claim).toList(),
        "runs", report.runs().stream().map(ReportJson::run).toList(),
        "rules", report.rules().stream().map(ReportJson::rule).toList());
  }

  private static Map<String, Object> levels(Map<Level, Status> levels) {
    Map<String, Object> named = new LinkedHashMap<>();
    levels.forEach(
        (level, status) -> named.put(level.name().toLowerCase(Locale.ROOT), status.name()));
    return named;
  }

  private static Map<String, Object> claim(Report.ClaimVerdict claim) {
    return object(
        "claim", claim.claim().name(),
        "says", claim.claim().says(),
        "status", claim.status().name(),
        "reason", claim.reason());
  }

  private static Map<String, Object> run(Run run) {
    return object(
        "class", run.testClass(),
        "ended", run.ended(),
        "store", run.store(),
        "losses", run.losses(),
        "controls", run.controls());
  }

  private static Map<String, Object> rule(Report.RuleVerdict verdict) {
    Result rule = verdict.rule();
    return object(
        "id", rule.id(),
        "name", rule.name(),
        "level", rule.level().name().toLowerCase(Locale.ROOT),
        "clause", rule.clause(),
        "soak", rule.soak(),
        "status", rule.status().name(),
        "reason", rule.reason(),
        "classes", verdict.classes());
  }

  private static Map<String, Object> object(Object... fields) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      object.put((String) fields[i], fields[i + 1]);
    }
    return object;
  }

  private static String text(Object value, String indent) {
    String inner = indent + "  ";
    if (value instanceof Map<?, ?> object) {
      return object.entrySet().stream()
          .map(field -> inner + quoted(field.getKey()) + ": " + text(field.getValue(), inner))
          .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
    }
    if (value instanceof Collection<?> array) {
      return array.isEmpty()
          ? "[]"
          : array.stream()
              .map(element -> inner + text(element, inner))
              .collect(Collectors.joining(",\n", "[\n", "\n" + indent + "]"));
    }
    return value instanceof Boolean ? value.toString() : quoted(value);
  }

  private static String quoted(Object value) {
    StringBuilder text = new StringBuilder("\"");
    for (char c : value.toString().toCharArray()) {
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c == '\n') {
        text.append("\\n");
      } else if (c < ' ') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }
}
