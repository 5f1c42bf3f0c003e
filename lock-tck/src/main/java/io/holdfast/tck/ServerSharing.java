package io.holdfast.tck;

import io.holdfast.tck.store.DisturbedServer;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.SharedServer;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/** How the rules of one class share a server: which of them have to be alone there. */
final class ServerSharing {

  /** The name of the lock that all rules have, together or alone. */
  static final String SERVER = "io.holdfast.tck.server";

  /** The name of the lock of the other server, for the rules that are alone there. */
  private static final String DISTURBED_SERVER = "io.holdfast.tck.disturbed-server";

  private ServerSharing() {}

  /** Returns the controls that a rule says it uses. */
  static Set<Class<?>> disturbs(Method rule) {
    Disturbs disturbs = rule.getAnnotation(Disturbs.class);
    return disturbs == null ? Set.of() : Set.of(disturbs.value());
  }

  /** Returns the controls that do to all stores of a class what they do to one. */
  static Set<Class<?>> shared(Class<?> tests) {
    return Set.of(tests.getAnnotation(SharedServer.class).disturbedBy());
  }

  /** Returns whether a rule does to the stores of other rules what it does to its own. */
  static boolean isAlone(Class<?> tests, Method rule) {
    Set<Class<?>> shared = shared(tests);
    return disturbs(rule).stream()
        .anyMatch(control -> shared.stream().anyMatch(other -> other.isAssignableFrom(control)));
  }

  /**
   * Gives those rules the lock of their server alone. An older JUnit than 5.12 knows no such thing.
   */
  static final class Locks implements ResourceLocksProvider {
    @Override
    public Set<Lock> provideForMethod(
        List<Class<?>> enclosingInstanceTypes, Class<?> tests, Method rule) {
      if (!isAlone(tests, rule)) {
        return Set.of();
      }
      String server = DisturbedServer.class.isAssignableFrom(tests) ? DISTURBED_SERVER : SERVER;
      return Set.of(new Lock(server, ResourceAccessMode.READ_WRITE));
    }
  }
}
