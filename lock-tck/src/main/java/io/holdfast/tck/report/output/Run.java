package io.holdfast.tck.report.output;

import io.holdfast.tck.claim.Claim;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The results of one test class about an adapter.
 *
 * @param adapter its name in the report
 * @param kit the version of the kit
 * @param className the class, by its whole name
 * @param ended when its last test had ended
 * @param store the store's name in messages; empty if the class did not tell
 * @param losses whether the store says that it may lose grants; empty if the class did not tell
 * @param claims the store's claims
 * @param controls the ways in which tests can control it
 * @param results how each test ended
 */
public record Run(
    String adapter,
    String kit,
    String className,
    Instant ended,
    String store,
    String losses,
    Set<Claim> claims,
    List<String> controls,
    List<Result> results) {

  public Run {
    claims = Set.copyOf(claims);
    controls = List.copyOf(controls);
    results = List.copyOf(results);
  }

  /** Returns the class, by its short name. */
  String testClass() {
    return className.replaceFirst(".*\\.", "").replace('$', '.');
  }
}
