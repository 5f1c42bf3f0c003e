package io.holdfast.cli.adapters;

import io.holdfast.spi.LockProvider;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The class loader through which adapters are looked up: it names those of the list, and is the
 * loader of the class path in all else.
 */
public final class ListedAdapters extends ClassLoader {

  private static final String SERVICES = "META-INF/services/" + LockProvider.class.getName();

  private final Path list;

  private ListedAdapters(Path list, ClassLoader classPath) {
    super(classPath);
    this.list = list;
  }

  /** Does something that looks adapters up, with the list of them if there is one that is right. */
  public static <T> T with(Supplier<T> lookup) {
    Optional<Path> list = AdapterList.current();
    if (list.isEmpty()) {
      return lookup.get();
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(
        new ListedAdapters(list.get(), ListedAdapters.class.getClassLoader()));
    try {
      return lookup.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return name.equals(SERVICES)
        ? Collections.enumeration(List.of(list.toUri().toURL()))
        : super.getResources(name);
  }
}
