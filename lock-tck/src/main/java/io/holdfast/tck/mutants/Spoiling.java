package io.holdfast.tck.mutants;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;

/** Objects of which some methods have a mistake in them. */
public final class Spoiling {

  private Spoiling() {}

  /**
   * A mistake instead of one method.
   *
   * @param <R> what the method returns
   */
  @FunctionalInterface
  public interface Mistake<R> {
    R call(List<Object> arguments);
  }

  /** Returns the same object, but for the methods of that name. */
  public static <T, R> T method(String name, Class<T> type, T original, Mistake<R> mistake) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                method.getName().equals(name)
                    ? mistake.call(arguments == null ? List.of() : List.of(arguments))
                    : unspoiled(original, method, arguments)));
  }

  private static Object unspoiled(Object original, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(original, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
