package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.Holdfast;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.LockProvider;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What an application is told that has not the adapter's jar; all adapters are on this class path.
 */
class MissingAdapterTest {

  /** Not a form that stands for several, with an ellipsis. */
  private static final Pattern URI = Pattern.compile("[a-z0-9:+-]+:.*");

  @Test
  void theJarOfEachFormOfUriIsNamed() {
    List<String> forms = new ArrayList<>();
    for (LockProvider provider : ServiceLoader.load(LockProvider.class)) {
      for (String form : provider.uriForms()) {
        if (URI.matcher(form).matches()) {
          forms.add(form);
          assertThat(adviceWithoutAdapters(form)).as(form).contains("lock-" + provider.name());
        }
      }
    }

    assertThat(forms).hasSizeGreaterThan(10);
  }

  private static String adviceWithoutAdapters(String uri) {
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    thread.setContextClassLoader(new WithoutAdapters(usual));
    try {
      return String.valueOf(
          catchThrowableOfType(BadRequestException.class, () -> Holdfast.connect(uri))
              .getMessage());
    } finally {
      thread.setContextClassLoader(usual);
    }
  }

  private static final class WithoutAdapters extends ClassLoader {
    WithoutAdapters(ClassLoader parent) {
      super(parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals("META-INF/services/" + LockProvider.class.getName())
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }
  }
}
