package io.holdfast.tck.report;

import io.holdfast.tck.claim.Facts;
import io.holdfast.tck.report.output.Result;
import io.holdfast.tck.report.output.Status;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Says in the message of a rule that fails which it is, and writes the report. */
final class KitReporter
    implements BeforeAllCallback,
        AfterEachCallback,
        AfterAllCallback,
        TestExecutionExceptionHandler,
        TestWatcher {

  private static final Namespace NAMESPACE = Namespace.create(KitReporter.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    // Of this class alone: a class inside another one is a run of its own.
    Recorder.of(context).ifPresent(recorder -> store(context).put(Recorder.class, recorder));
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    Optional<Result> rule = Catalogue.of(context.getRequiredTestMethod()).filter(Result::isRule);
    if (rule.isEmpty() || thrown instanceof TestAbortedException) {
      throw thrown;
    }
    String store = facts(context).map(facts -> " in " + facts.store()).orElse("");
    String message =
        "%s, %s, does not hold%s.%nIt tests %s.%n%s"
            .formatted(
                rule.get().id(), rule.get().name(), store, rule.get().clause(), words(thrown));
    if (thrown instanceof AssertionFailedError compared && compared.isExpectedDefined()) {
      throw new AssertionFailedError(message, compared.getExpected(), compared.getActual(), thrown);
    }
    throw new AssertionFailedError(message, thrown);
  }

  /** An exception other than of an assertion is told with its kind. */
  private static String words(Throwable thrown) {
    return thrown instanceof AssertionError && thrown.getMessage() != null
        ? thrown.getMessage()
        : thrown.toString();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    recorder(context).ifPresent(recorder -> facts(context).ifPresent(recorder::isAbout));
  }

  @Override
  public void testSuccessful(ExtensionContext context) {
    ended(context, Status.PASSED, "");
  }

  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    ended(context, Status.FAILED, words(cause));
  }

  @Override
  public void testAborted(ExtensionContext context, Throwable cause) {
    Status status =
        cause instanceof NotApplicableException ? Status.NOT_APPLICABLE : Status.NOT_PROVED;
    ended(context, status, Optional.ofNullable(cause.getMessage()).orElse("It was aborted."));
  }

  @Override
  public void testDisabled(ExtensionContext context, Optional<String> reason) {
    ended(context, Status.NOT_PROVED, reason.orElse("It is disabled."));
  }

  private static void ended(ExtensionContext context, Status status, String reason) {
    recorder(context)
        .ifPresent(
            recorder -> recorder.ended(context.getRequiredTestMethod(), status, reason.strip()));
  }

  @Override
  public void afterAll(ExtensionContext context) {
    recorder(context).ifPresent(Recorder::write);
  }

  private static Optional<Facts> facts(ExtensionContext context) {
    return context
        .getTestInstance()
        .filter(FactsSource.class::isInstance)
        .flatMap(instance -> ((FactsSource) instance).facts());
  }

  private static Optional<Recorder> recorder(ExtensionContext context) {
    return Optional.ofNullable(store(context).get(Recorder.class, Recorder.class));
  }

  private static Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }
}
