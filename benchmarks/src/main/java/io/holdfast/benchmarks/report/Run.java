package io.holdfast.benchmarks.report;

/**
 * One run of the benchmarks.
 *
 * @param date when it began, in UTC
 * @param machine where it ran
 * @param command how it was called
 */
public record Run(String date, String machine, String command) {

  String markdown() {
    return """
        # Benchmarks of %s

        Machine: %s. Command: `%s`.

        """
        .formatted(date, machine, command);
  }
}
