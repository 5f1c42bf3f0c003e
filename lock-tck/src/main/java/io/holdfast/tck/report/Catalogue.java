package io.holdfast.tck.report;

import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.report.output.Result;
import io.holdfast.tck.report.output.Status;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Which rules and proofs a test class has. */
public final class Catalogue {

  private static final String NOT_RUN = "It was not run.";

  private Catalogue() {}

  /** Returns the claims that some test of a class would refute. */
  public static Set<Claim> provenBy(Class<?> testClass) {
    Set<Claim> claims = EnumSet.noneOf(Claim.class);
    tests(testClass).forEach(test -> claims.addAll(claims(test)));
    return claims;
  }

  /**
   * Returns the rules of a test class and the tests of its own that prove something, not run. A
   * rule that it overrides is one of them all the same, and remains so: the test that runs in its
   * place is none.
   */
  static List<Result> of(Class<?> testClass) {
    return notRun(Stream.concat(tests(testClass).stream(), declared(testClass)));
  }

  /** Returns the rules of the whole kit, not run. */
  static List<Result> ofWholeKit() {
    try {
      // By its name, because all rules depend on this package.
      return notRun(declared(Class.forName("io.holdfast.tck.HoldfastTck")));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("The kit is incomplete: its jar lacks HoldfastTck.", e);
    }
  }

  private static List<Result> notRun(Stream<Method> tests) {
    Map<String, Result> results = new LinkedHashMap<>();
    tests
        .flatMap(test -> of(test).stream())
        .forEach(result -> results.putIfAbsent(result.name(), result));
    return List.copyOf(results.values());
  }

  /** Returns the rule or proof that a method is, as not run. */
  static Optional<Result> of(Method test) {
    Rule rule = test.getAnnotation(Rule.class);
    if (rule == null && claims(test).isEmpty()) {
      return Optional.empty();
    }
    Topic topic = test.getDeclaringClass().getAnnotation(Topic.class);
    return Optional.of(
        new Result(
            rule == null ? "" : rule.value(),
            test.getDeclaringClass().getSimpleName() + "." + test.getName(),
            level(rule, topic),
            rule == null ? "" : clause(rule, topic),
            AnnotationSupport.isAnnotated(test, Soak.class),
            claims(test),
            isNeeded(test),
            Status.NOT_PROVED,
            NOT_RUN));
  }

  private static List<Method> tests(Class<?> testClass) {
    return ReflectionSupport.findMethods(
        testClass, Catalogue::counts, HierarchyTraversalMode.TOP_DOWN);
  }

  private static boolean counts(Method test) {
    return test.isAnnotationPresent(Rule.class) || test.isAnnotationPresent(Proves.class);
  }

  /** Returns all that a class and what it inherits from declare, overridden or not. */
  private static Stream<Method> declared(@Nullable Class<?> type) {
    if (type == null) {
      return Stream.empty();
    }
    return Stream.of(
            Arrays.stream(type.getDeclaredMethods()).filter(Catalogue::counts),
            declared(type.getSuperclass()),
            Arrays.stream(type.getInterfaces()).flatMap(Catalogue::declared))
        .flatMap(methods -> methods);
  }

  private static Set<Claim> claims(Method test) {
    Proves proves = test.getAnnotation(Proves.class);
    return proves == null ? Set.of() : Set.of(proves.value());
  }

  private static boolean isNeeded(Method test) {
    Proves proves = test.getAnnotation(Proves.class);
    return proves != null && proves.isNeeded();
  }

  private static Level level(@Nullable Rule rule, @Nullable Topic topic) {
    if (rule != null && rule.level().length > 0) {
      return rule.level()[0];
    }
    return topic == null ? Level.CORE : topic.level();
  }

  private static String clause(Rule rule, @Nullable Topic topic) {
    String marked =
        IntStream.of(rule.marked())
            .mapToObj(mark -> "† " + mark + " of ARCHITECTURE.md")
            .collect(Collectors.joining(", "));
    String clause = topic == null ? "" : topic.clause();
    return Arrays.asList(marked, clause).stream()
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("; "));
  }
}
