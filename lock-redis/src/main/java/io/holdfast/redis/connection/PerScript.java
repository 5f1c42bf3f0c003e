package io.holdfast.redis.connection;

import io.holdfast.redis.script.Script;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is made of a script when it is first run, and kept: a script's text is read and digested
 * each time that it is asked for. Thread-safe.
 */
final class PerScript<T> {

  private final Map<Script, T> made = new ConcurrentHashMap<>();
  private final Function<Script, T> making;

  /**
   * Makes nothing yet.
   *
   * @param making may run twice where two threads are the first
   */
  PerScript(Function<Script, T> making) {
    this.making = making;
  }

  T of(Script script) {
    @Nullable T present = made.get(script);
    if (present == null) {
      present = making.apply(script);
      made.put(script, present);
    }
    return present;
  }
}
