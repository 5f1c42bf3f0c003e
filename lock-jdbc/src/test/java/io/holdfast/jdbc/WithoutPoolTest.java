package io.holdfast.jdbc;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A lock file needs no pool, and whoever starts a command under one must not wait for HikariCP to
 * be loaded.
 */
class WithoutPoolTest {

  /** Takes a lock in the file, where HikariCP is not on the class path. */
  static final class Child {

    private Child() {}

    public static void main(String[] arguments) {
      try (LockBackend backend =
          new JdbcLockProvider().connect(arguments[0], BackendOptions.DEFAULTS, soon())) {
        System.out.print(take(backend, request(session(backend), "a", IfHeld.REFUSE)).number());
      }
    }
  }

  @Test
  void aLockFileIsUsedWithoutHikariCp(@TempDir Path directory) throws Exception {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("HikariCP"))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(classPath).isNotEqualTo(System.getProperty("java.class.path"));

    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                Child.class.getName(),
                LockFile.in(directory).uri())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();

    String number =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).isZero();
    assertThat(Long.parseLong(number)).isPositive();
  }
}
