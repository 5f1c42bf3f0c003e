package io.holdfast.tck.report;

import io.holdfast.tck.claim.Facts;
import io.holdfast.tck.report.output.KitVersion;
import io.holdfast.tck.report.output.ReportDirectory;
import io.holdfast.tck.report.output.Result;
import io.holdfast.tck.report.output.Run;
import io.holdfast.tck.report.output.Status;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Notes how the tests of a class end. Thread-safe: they may run at the same time. */
final class Recorder {

  private final String adapter;
  private final Class<?> testClass;
  private final ReportDirectory directory;
  private final Map<String, Result> results = new LinkedHashMap<>();
  private volatile Optional<Facts> facts = Optional.empty();

  private Recorder(String adapter, Class<?> testClass, ReportDirectory directory) {
    this.adapter = adapter;
    this.testClass = testClass;
    this.directory = directory;
    Catalogue.of(testClass).forEach(result -> results.put(result.name(), result));
  }

  /** Returns the recorder for a class, unless it is about no adapter, or no report is wanted. */
  static Optional<Recorder> of(ExtensionContext context) {
    Class<?> testClass = context.getRequiredTestClass();
    return ReportDirectory.of(context)
        .flatMap(
            directory ->
                adapter(testClass).map(adapter -> new Recorder(adapter, testClass, directory)));
  }

  private static Optional<String> adapter(Class<?> testClass) {
    Adapter named = testClass.getAnnotation(Adapter.class);
    if (named != null) {
      return Optional.of(named.value());
    }
    return FactsSource.class.isAssignableFrom(testClass)
        ? Optional.of(testClass.getSimpleName().replaceFirst("(Tck)?Test$", ""))
        : Optional.empty();
  }

  void isAbout(Facts store) {
    facts = Optional.of(store);
  }

  void ended(Method test, Status status, String reason) {
    Catalogue.of(test)
        .ifPresent(
            result -> {
              synchronized (results) {
                // A test that is repeated fails with the first of its times that does.
                results.merge(
                    result.name(),
                    result.ended(status, reason),
                    (before, now) -> before.status() == Status.FAILED ? before : now);
              }
            });
  }

  void write() {
    directory.add(run(), Catalogue.ofWholeKit());
  }

  private Run run() {
    Optional<Facts> known = facts;
    synchronized (results) {
      return new Run(
          adapter,
          KitVersion.get(),
          testClass.getName(),
          Instant.now(),
          known.map(Facts::store).orElse(""),
          known.map(store -> store.capabilities().losses().toString()).orElse(""),
          known.map(Facts::claims).orElse(Set.of()),
          known.map(Facts::controls).orElse(List.of()),
          List.copyOf(results.values()));
    }
  }
}
