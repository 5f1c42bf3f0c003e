package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.LockProvider;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Through which class loader adapters are found. */
class AdapterLookupTest {

  private static final String SERVICES = "META-INF/services/" + LockProvider.class.getName();

  private static <T> T onAThreadWith(@Nullable ClassLoader loader, Callable<T> task)
      throws Exception {
    FutureTask<T> running = new FutureTask<>(task);
    Thread thread = new Thread(running);
    thread.setContextClassLoader(loader);
    thread.start();
    return running.get();
  }

  private static String backendOf(String uri) {
    try (LockClient client = Holdfast.connect(uri)) {
      return client.backend();
    }
  }

  /** As a thread of the JDK's pool in an application that is one jar with jars in it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aThreadWhoseLoaderDoesNotKnowTheLibraryFindsItsAdapters(boolean hasLoader) throws Exception {
    ClassLoader loader = hasLoader ? ClassLoader.getPlatformClassLoader() : null;

    assertThat(onAThreadWith(loader, () -> backendOf("memory:lookup"))).contains("lookup");
  }

  /** Names an adapter that is not there before those that are. */
  private static final class WithABrokenOne extends ClassLoader {
    private final URL broken;

    WithABrokenOne(Path services) throws IOException {
      super(AdapterLookupTest.class.getClassLoader());
      this.broken =
          Files.writeString(services, "io.holdfast.missing.MissingProvider").toUri().toURL();
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      List<URL> found = new ArrayList<>(Collections.list(super.getResources(name)));
      if (name.equals(SERVICES)) {
        found.add(0, broken);
      }
      return Collections.enumeration(found);
    }
  }

  @Test
  void anAdapterThatCannotBeLoadedKeepsNoOtherOut(@TempDir Path folder) throws Exception {
    ClassLoader loader = new WithABrokenOne(folder.resolve("services"));

    assertThat(onAThreadWith(loader, () -> backendOf("memory:lookup"))).contains("lookup");
    assertThatThrownBy(() -> onAThreadWith(loader, () -> backendOf("unknown:lookup")))
        .hasCauseInstanceOf(BadRequestException.class);
  }
}
