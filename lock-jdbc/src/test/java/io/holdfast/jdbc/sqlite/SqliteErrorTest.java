package io.holdfast.jdbc.sqlite;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import java.io.RandomAccessFile;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteErrorTest {

  @TempDir private Path directory;
  private LockFile file;

  @BeforeEach
  void name() {
    file = LockFile.in(directory);
  }

  @AfterEach
  void close() {
    file.close();
  }

  private static LockProvider provider() {
    return ServiceLoader.load(LockProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(JdbcLockProvider.class::isInstance)
        .findFirst()
        .orElseThrow();
  }

  private static LockBackend connect(String uri) {
    return provider().connect(uri, BackendOptions.DEFAULTS, soon());
  }

  private void assertUnusable(String... words) {
    assertThatThrownBy(() -> connect(file.uri()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining(file.path.toString())
        .hasMessageContainingAll(words);
  }

  @Test
  void theProviderTakesTheDatabasesThatItKnowsAndNothingElse() {
    assertThat(provider().accepts("jdbc:sqlite:locks.db")).isTrue();
    assertThat(provider().accepts("JDBC:SQLite:locks.db")).isTrue();
    assertThat(provider().accepts("jdbc:sqlite:")).isTrue();
    assertThat(provider().accepts("jdbc:postgresql://db/app")).isTrue();
    assertThat(provider().accepts("jdbc:oracle:thin:@db")).isFalse();
    assertThat(provider().accepts("redis://db")).isFalse();
    assertThat(provider().accepts("jdbc:mariadb://db/app")).isTrue();
    assertThat(provider().accepts("jdbc:mysql://db/app")).isTrue();
    assertThat(provider().accepts("jdbc:h2:mem:locks")).isTrue();
    assertThat(provider().uriForms())
        .containsExactly(
            "jdbc:sqlite:FILE",
            "jdbc:postgresql://HOST/DATABASE",
            "jdbc:mariadb://HOST/DATABASE",
            "jdbc:mysql://HOST/DATABASE",
            "jdbc:h2:async:FILE;AUTO_SERVER=TRUE");
  }

  @Test
  void aBackendIsCalledByItsAbsolutePath() {
    try (LockBackend backend = connect("jdbc:sqlite:" + relativePathOf(file.path))) {
      assertThat(backend.describe()).startsWith("sqlite:/").endsWith("/locks.db");
      assertThat(file.path).exists();
    }
  }

  private static Path relativePathOf(Path path) {
    return Path.of("").toAbsolutePath().relativize(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:sqlite:",
        "jdbc:sqlite: ",
        "jdbc:sqlite::memory:",
        "jdbc:sqlite::resource:locks.db",
        "jdbc:sqlite:file:locks.db",
        "jdbc:sqlite:file::memory:?cache=shared",
        "jdbc:sqlite:locks.db?mode=memory",
        "jdbc:sqlite:locks.db?journal_mode=DELETE",
        "jdbc:sqlite:locks\u0000.db"
      })
  void whatIsNoPlainFileIsABadRequest(String uri) {
    assertThatThrownBy(() -> connect(uri))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("jdbc:sqlite:/var/lib/app/locks.db");
  }

  @Test
  void aFileMayHaveAnyName() {
    List<String> names = List.of("a b.db", "100%.db", "#1.db", "a&b=c.db", "ü.db", "%41.db");
    for (String name : names.stream().filter(SqliteErrorTest::canBeNamed).toList()) {
      LockFile odd = new LockFile(directory.resolve(name));
      LockBackend backend = odd.backend();
      take(backend, request(session(backend), "a", IfHeld.REFUSE));
      odd.close();
      assertThat(odd.path).exists();
    }
  }

  /** A JVM in the locale of a machine that has none set knows no names but English ones. */
  private static boolean canBeNamed(String name) {
    return Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder().canEncode(name);
  }

  @Test
  void aMissingDirectoryIsSaid() {
    file = new LockFile(directory.resolve("missing/locks.db"));
    assertUnusable("does not exist", "Create");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aDirectoryInPlaceOfTheFileIsSaid() throws Exception {
    Files.createDirectory(file.path);
    assertUnusable("is a directory");
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsSaid() throws Exception {
    Files.createFile(file.path);
    file = new LockFile(file.path.resolve("locks.db"));
    assertUnusable("is not a directory");
  }

  @Test
  void aFileThatIsNoDatabaseIsSaidAndLeftAlone() throws Exception {
    String content = "precious ".repeat(1000);
    Files.writeString(file.path, content);

    assertUnusable("is not an SQLite database");

    assertThat(Files.readString(file.path)).isEqualTo(content);
  }

  @Test
  void aDatabaseOfSomebodyElseIsShared() throws Exception {
    file.execute("CREATE TABLE orders (id INTEGER)");

    LockBackend backend = file.backend();
    take(backend, request(session(backend), "a", IfHeld.REFUSE));

    assertThat(file.number("SELECT count(*) FROM orders")).isZero();
  }

  /** Each name has a log of its own, so that both would hold. */
  @Test
  void aFileWithAnotherNameIsRefusedUnderEither() throws Exception {
    file.backend().close();
    Path other = Files.createLink(directory.resolve("other.db"), file.path);

    assertUnusable("a hard link", "Remove one of the names");
    assertThatThrownBy(() -> connect("jdbc:sqlite:" + other))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("a hard link");

    Files.delete(other);
    file.backend();
  }

  /** Into a container, for instance. */
  @Test
  void aFileThatIsMountedWithoutItsDirectoryIsSeen() {
    List<String> mounts =
        List.of(
            "22 27 0:21 / /proc rw,relatime - proc proc rw",
            "36 35 98:0 /locks.db /var/my\\040locks.db rw,noatime master:1 - ext4 /dev/sda rw");

    assertThat(FileNames.isMountPoint(Path.of("/var/my locks.db"), mounts)).isTrue();
    assertThat(FileNames.isMountPoint(Path.of("/var/my locks"), mounts)).isFalse();
    assertThat(FileNames.isMountPoint(Path.of("/proc"), mounts)).isTrue();
  }

  @Test
  void aFileThatMayNotBeWrittenIsSaid() throws Exception {
    file.backend();
    file.close();
    Files.setPosixFilePermissions(file.path, PosixFilePermissions.fromString("r--r--r--"));
    assumeFalse(Files.isWritable(file.path), "the superuser may write to every file");

    assertUnusable("not readable and writable for user");
  }

  @Test
  void aDirectoryThatMayNotBeWrittenIsSaid() throws Exception {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    file = LockFile.in(closed);
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse(Files.isWritable(closed), "the superuser may write to every directory");

    assertUnusable("its directory is not writable");
  }

  @Test
  void aDamagedFileIsSaidAndNothingIsHeld() throws Exception {
    LockBackend first = file.backend();
    SessionId session = session(first);
    for (int i = 0; i < 500; i++) {
      take(first, request(session, "lock " + i, IfHeld.REFUSE));
    }
    file.close();
    try (RandomAccessFile bytes = new RandomAccessFile(file.path.toFile(), "rw")) {
      for (long at = 4096; at < bytes.length(); at += 4096) {
        bytes.seek(at);
        bytes.write("garbage".repeat(100).getBytes(StandardCharsets.UTF_8));
      }
    }

    assertThatThrownBy(
            () -> {
              LockBackend second = file.backend();
              take(second, request(session(second), "lock 7", IfHeld.REFUSE));
            })
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("is damaged")
        .hasMessageContaining("delete it");
  }

  @Test
  void aFullDiskIsSaidAndNothingIsHeld() {
    LockBackend roomy = file.backend();
    SessionId session = session(roomy);
    LockBackend full = file.backend(SqliteSettings.standard().pragmas("PRAGMA max_page_count = 1"));
    Request big =
        Request.of(new LockName("big"), new RequestId(session, 1), LockFile.PROCESS)
            .with(IfHeld.REFUSE)
            .with(Payload.of(new byte[Payload.BYTES_MAX]));

    assertThatThrownBy(() -> full.grab(big, soon()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("full");

    assertThat(roomy.inspect(big.name(), soon())).isEmpty();
    assertThat(full.renew(session, soon())).isInstanceOf(Renewed.Alive.class);
    assertThat(roomy.grab(big, soon())).isInstanceOf(Attempt.Granted.class);
  }

  @Test
  void tablesOfAnotherVersionAreRefused() {
    session(file.backend());
    file.close();
    file.execute("UPDATE holdfast_namespace SET protocol = 1");
    assertThatThrownBy(() -> connect(file.uri()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("protocol version 1");

    file.execute("UPDATE holdfast_namespace SET protocol = " + QueueTextDialect.PROTOCOL);
    file.execute("ALTER TABLE holdfast_locks RENAME COLUMN queue TO waiters");
    assertUnusable("holdfast_locks", "Use the version");
  }

  @Test
  void tablesThatAreMissingAreMade() {
    session(file.backend());
    file.close();
    file.execute("DROP TABLE holdfast_locks");

    LockBackend backend = file.backend();

    take(backend, request(session(backend), "a", IfHeld.REFUSE));
  }

  @Test
  void tablesDroppedWhileInUseAreAClearError() {
    LockBackend backend = file.backend();
    SessionId session = session(backend);
    file.execute("DROP TABLE holdfast_locks");

    assertThatThrownBy(() -> backend.grab(request(session, "a", IfHeld.REFUSE), soon()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("no such table");
    take(backend, request(session, "a", IfHeld.REFUSE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "9p",
        "virtiofs",
        "fuse.sshfs",
        "ceph",
        "lustre",
        "wekafs",
        "panfs",
        "acfs",
        "fuse.juicefs",
        "fuse.mfs",
        "fuse.made-tomorrow"
      })
  void networkFileSystemsAreRefusedWithTheReason(String type) {
    assertThatThrownBy(() -> file.backend(SqliteSettings.standard().fileSystem(path -> type)))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("(" + type + ")")
        .hasMessageContaining("one machine");
    assertThat(directory).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ext4",
        "xfs",
        "btrfs",
        "tmpfs",
        "overlay",
        "zfs",
        "NTFS",
        "apfs",
        "fuseblk",
        "fuse.gocryptfs"
      })
  void localFileSystemsAreNot(String type) {
    file.backend(SqliteSettings.standard().fileSystem(path -> type));
  }

  @Test
  void aFileThatOthersKeepBusyFailsInTimeWithoutEffect() throws Exception {
    LockBackend backend = file.backend();
    SessionId session = session(backend);
    Request request = request(session, "a", IfHeld.REFUSE);
    try (Connection blocker = DriverManager.getConnection(file.uri());
        Statement statement = blocker.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");

      // On a machine that stands still a deadline may pass before the file is even asked.
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> busy(backend, request, Deadline.in(Duration.ofMillis(200))));

      assertThat(backend.inspect(request.name(), soon())).isEmpty();
      statement.execute("COMMIT");
    }
    take(backend, request);
  }

  private static boolean busy(LockBackend backend, Request request, Deadline deadline) {
    BackendFailure failure =
        catchThrowableOfType(BackendFailure.class, () -> backend.grab(request, deadline));
    assertThat(failure.effect()).isEqualTo(Effect.NONE);
    return failure.toString().contains("busy");
  }

  @Test
  void aCallWhoseTimeIsOverDoesNothing() {
    LockBackend backend = file.backend();
    Request request = request(session(backend), "a", IfHeld.REFUSE);

    assertThatThrownBy(() -> backend.grab(request, Deadline.in(Duration.ZERO)))
        .isInstanceOfSatisfying(
            BackendFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE));

    assertThat(backend.inspect(request.name(), soon())).isEmpty();
  }

  @Test
  void aClosedBackendSaysSo() {
    LockBackend backend = file.backend();
    Request request = request(session(backend), "a", IfHeld.REFUSE);
    backend.close();
    backend.close();

    assertThatThrownBy(() -> backend.grab(request, soon()))
        .isInstanceOfSatisfying(
            BackendFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE));
    assertThatThrownBy(() -> backend.renew(request.id().session(), soon()))
        .isInstanceOf(BackendFailure.class);
  }

  @Test
  void whoWasInterruptedCanStillRelease() {
    LockBackend backend = file.backend();
    Request request = request(session(backend), "a", IfHeld.REFUSE);
    take(backend, request);

    Thread.currentThread().interrupt();
    Released released = backend.release(request.name(), request.id(), soon());

    assertThat(Thread.interrupted()).isTrue();
    assertThat(released).isEqualTo(Released.FREED);
  }

  @Test
  void whoSharesTheDirectorySharesTheLocks() throws Exception {
    Path shared = Files.createDirectory(directory.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwx---"));
    LockFile common = LockFile.in(shared);
    LockBackend backend = common.backend();
    session(backend);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(common.path)))
        .startsWith("rw-rw-");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(shared.resolve("locks.db-wal"))))
        .startsWith("rw-rw-");
    common.close();
  }

  @Test
  void heartbeatsDoNotQueueBehindVerbs() throws Exception {
    LockBackend backend = file.backend();
    SessionId session = session(backend);
    Executor daemons =
        task -> {
          Thread thread = new Thread(task, "call");
          thread.setDaemon(true);
          thread.start();
        };
    List<CompletableFuture<Attempt>> verbs = new ArrayList<>();
    CompletableFuture<Renewed> renewed;
    try (Connection blocker = DriverManager.getConnection(file.uri());
        Statement statement = blocker.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      for (int i = 0; i < 8; i++) {
        Request request = request(session, "lock " + i, IfHeld.REFUSE);
        verbs.add(CompletableFuture.supplyAsync(() -> backend.grab(request, soon()), daemons));
      }
      renewed = CompletableFuture.supplyAsync(() -> backend.renew(session, soon()), daemons);
      Thread.sleep(100);
      statement.execute("COMMIT");
    }
    assertThat(renewed.get(20, TimeUnit.SECONDS)).isInstanceOf(Renewed.Alive.class);
    assertThat(backend.list("", Optional.empty(), 1, soon())).isNotNull();
    // Else they fail later, on a thread of no test.
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> verbs.stream().allMatch(CompletableFuture::isDone));
  }
}
