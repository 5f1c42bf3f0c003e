package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;

import io.holdfast.SessionId;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Another process, which opens a database first and takes the lock "a" again and again. */
final class H2Owner implements AutoCloseable {

  private final Process process;
  private final BufferedReader numbers;

  private H2Owner(Process process) {
    this.process = process;
    this.numbers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Prints the number of each grant as soon as it is answered. */
  static final class Child {

    private Child() {}

    public static void main(String[] arguments) {
      LockBackend backend =
          new JdbcLockProvider().connect(arguments[0], BackendOptions.DEFAULTS, soon());
      SessionId session = session(backend);
      while (!System.out.checkError()) {
        Request request = request(session, "a", IfHeld.REFUSE);
        System.out.println(take(backend, request).number());
        backend.release(request.name(), request.id(), soon());
      }
    }
  }

  static H2Owner start(String uri) throws IOException {
    return new H2Owner(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                uri)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Waits for the next number. */
  long awaitNumber() throws IOException {
    return Long.parseLong(Objects.requireNonNull(numbers.readLine(), "The process has ended."));
  }

  /** Kills it with SIGKILL and returns the number that it was told last. */
  long kill() throws IOException, InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor(60, TimeUnit.SECONDS);
    long last = 0;
    for (String line = numbers.readLine(); line != null; line = numbers.readLine()) {
      last = line.isEmpty() ? last : Math.max(last, Long.parseLong(line));
    }
    return last;
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
  }
}
