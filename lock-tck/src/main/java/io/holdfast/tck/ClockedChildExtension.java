package io.holdfast.tck;

import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.NotProvedException;
import io.holdfast.tck.store.RealClockControl;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Has the rules of a class that set a clock run in a child JVM, and no others. */
final class ClockedChildExtension
    implements ExecutionCondition, BeforeAllCallback, InvocationInterceptor, AfterAllCallback {

  private static final Namespace NAMESPACE = Namespace.create(ClockedChildExtension.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context.getTestMethod().map(ClockedChildExtension::setsTheClock).orElse(true)
        ? ConditionEvaluationResult.enabled("It sets the clock.")
        : ConditionEvaluationResult.disabled("It sets no clock: the whole kit runs it.");
  }

  private static boolean setsTheClock(Method rule) {
    return ServerSharing.disturbs(rule).contains(RealClockControl.class);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    store(context).put(ClockedChild.class, ClockedChild.start(context.getRequiredTestClass()));
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> invocationContext,
      ExtensionContext context) {
    invocation.skip();
    ClockedChild.Verdict verdict =
        store(context)
            .get(ClockedChild.class, ClockedChild.class)
            .run(invocationContext.getExecutable());
    switch (verdict.outcome()) {
      case PASSED -> {}
      case FAILED -> throw new AssertionError(verdict.words());
      case NOT_PROVED -> throw new NotProvedException(verdict.words());
      case NOT_APPLICABLE -> throw new NotApplicableException(verdict.words());
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    store(context).remove(ClockedChild.class, ClockedChild.class).close();
  }

  private static Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }
}
