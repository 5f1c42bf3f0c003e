package io.holdfast.benchmarks.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An earlier version of Holdfast, which shares nothing with the present one but the JDK. It is
 * loaded once for all stores, as the present one is: so both have the same behind them when they
 * take turns.
 */
public final class EarlierVersion implements AutoCloseable {

  /** {@code benchmarks/jars-of} leaves it beside the jars. */
  private static final String REVISION = "revision";

  private final String description;
  private final URLClassLoader loader;
  private final MethodHandle connect;
  private final MethodHandle lock;
  private final MethodHandle pair;
  private final MethodHandle close;

  private EarlierVersion(String description, URLClassLoader loader)
      throws ReflectiveOperationException {
    this.description = description;
    this.loader = loader;
    connect = method(loader.loadClass("io.holdfast.Holdfast"), "connect", String.class);
    lock = method(connect.type().returnType(), "lock", String.class);
    close = method(connect.type().returnType(), "close");
    MethodHandle acquire = method(lock.type().returnType(), "acquire");
    MethodHandle release = method(acquire.type().returnType(), "release");
    pair =
        MethodHandles.filterReturnValue(
            acquire,
            release.asType(MethodType.methodType(void.class, acquire.type().returnType())));
    // They register themselves. DriverManager has looked for those of the class path alone.
    ServiceLoader.load(Driver.class, loader).forEach(driver -> {});
  }

  /** Loads the jars of a folder: an API, adapters, and all that they need. */
  public static EarlierVersion in(Path folder) throws IOException {
    List<Path> jars;
    try (Stream<Path> files = Files.list(folder)) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    URLClassLoader loader =
        new URLClassLoader(
            jars.stream().map(EarlierVersion::url).toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader());
    try {
      return new EarlierVersion(description(folder, jars), loader);
    } catch (ReflectiveOperationException e) {
      loader.close();
      throw new IllegalArgumentException("The jars in %s are no Holdfast.".formatted(folder), e);
    }
  }

  private static String description(Path folder, List<Path> jars) throws IOException {
    Path revision = folder.resolve(REVISION);
    return Files.exists(revision)
        ? Files.readString(revision).strip()
        : jars.stream()
            .map(jar -> String.valueOf(jar.getFileName()))
            .filter(name -> name.startsWith("lock-"))
            .collect(Collectors.joining(", "));
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MethodHandle method(Class<?> type, String name, Class<?>... parameters)
      throws ReflectiveOperationException {
    return MethodHandles.publicLookup().unreflect(type.getMethod(name, parameters));
  }

  /** Returns which one it is, for people. */
  String description() {
    return description;
  }

  /** Returns what its classes are loaded by. */
  ClassLoader loader() {
    return loader;
  }

  /** Connects as an application would that has only this version. */
  OpenContender connect(String uri) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return new Client(call(connect, uri));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Its classes cannot be used any more. */
  @Override
  public void close() throws IOException {
    loader.close();
  }

  private final class Client implements OpenContender {

    private final Object client;

    private Client(Object client) {
      this.client = client;
    }

    @Override
    public LockPair pair(String name) throws Exception {
      return new Pair(pair.bindTo(call(lock, client, name)));
    }

    @Override
    public void close() throws Exception {
      call(close, client);
    }
  }

  /** Bound once, since it is measured: calling it so costs some nanoseconds. */
  private record Pair(MethodHandle bound) implements LockPair {

    @Override
    public void takeAndGiveBack() throws Exception {
      try {
        bound.invokeExact();
      } catch (Throwable e) {
        throw asIs(e);
      }
    }
  }

  private static Object call(MethodHandle method, Object... arguments) throws Exception {
    try {
      return method.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw asIs(e);
    }
  }

  private static Exception asIs(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof Exception exception ? exception : new IllegalStateException(failure);
  }
}
