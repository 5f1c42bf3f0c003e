package io.holdfast.engine.seam;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Loggers that throw. */
class SafeLogTest {

  private final List<String> entries = new ArrayList<>();

  /** Throws in the first so many calls. */
  private Logger logger(int failures) {
    return (Logger)
        Proxy.newProxyInstance(
            SafeLogTest.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              entries.add((String) arguments[0]);
              if (entries.size() <= failures) {
                throw new IllegalStateException("from an appender (test)");
              }
              return null;
            });
  }

  @Test
  void whatCannotBeLoggedIsLoggedWithoutIt() {
    SafeLog.error(logger(1), "a failure", new IllegalArgumentException());
    assertThat(entries).hasSize(2).first().isEqualTo("a failure");
  }

  @Test
  void aLoggerThatThrowsAlwaysIsLeftAlone() {
    SafeLog.error(logger(9), "a failure", new IllegalArgumentException());
    assertThat(entries).hasSize(2);
  }
}
