package io.holdfast.jdbc.sqlite;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lock file that is not the same any more holds nothing of those who used the old one. */
class SqliteFileReplacedTest {

  @TempDir private Path directory;
  private Path home;
  private LockFile file;
  private LockBackend holder;
  private SessionId session;
  private Request held;
  private long number;

  @BeforeEach
  void hold() throws IOException {
    home = Files.createDirectory(directory.resolve("home"));
    file = LockFile.in(home);
    holder = file.backend();
    session = session(holder);
    held = request(session, "a", IfHeld.REFUSE);
    number = take(holder, held).number();
    assertThat(holder.renew(session, soon())).isInstanceOf(Renewed.Alive.class);
  }

  @AfterEach
  void close() {
    file.close();
  }

  /** What an operator deletes who knows of the file alone, or of those beside it too. */
  private void delete(boolean withThoseBeside) throws IOException {
    Files.delete(file.path);
    if (withThoseBeside) {
      Files.deleteIfExists(beside("-wal"));
      Files.deleteIfExists(beside("-shm"));
    }
  }

  private Path beside(String suffix) {
    return file.path.resolveSibling(file.path.getFileName() + suffix);
  }

  private void holdersSessionIsOver() {
    assertThat(holder.renew(session, soon())).isEqualTo(new Renewed.Over());
    assertThat(holder.grab(held, soon())).isEqualTo(new Attempt.SessionOver());
    assertThat(holder.look(session, List.of(held.key()), soon()))
        .containsExactly(new Standing.Absent());
  }

  /** Somebody who comes now, and the former holder, work on the same file from here on. */
  private void everybodyMeetsInTheFileThatIsThere(LockBackend newcomer) throws Exception {
    SessionId other = session(newcomer);
    Request request = request(other, "a", IfHeld.REFUSE);
    assertThat(take(newcomer, request).number()).isGreaterThan(number);
    SessionId fresh = session(holder);
    assertThat(holder.grab(request(fresh, "a", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Refused.class);
    assertThat(newcomer.renew(other, soon())).isInstanceOf(Renewed.Alive.class);
    assertThat(holder.renew(fresh, soon())).isInstanceOf(Renewed.Alive.class);
    for (int i = 0; i < 300; i++) {
      Request mine = request(fresh, "many " + i, IfHeld.REFUSE);
      take(holder, mine);
      assertThat(newcomer.grab(request(other, "many " + i, IfHeld.REFUSE), soon()))
          .isInstanceOf(Attempt.Refused.class);
    }
    assertThat(
            file.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"))
        .isEqualTo(1);
  }

  @Test
  void aDeletedFileIsNoSessionAndRenewingDoesNotMakeItAnew() throws Exception {
    delete(true);

    assertThat(holder.renew(session, soon())).isEqualTo(new Renewed.Over());
    assertThat(file.path).doesNotExist();
    holdersSessionIsOver();
    everybodyMeetsInTheFileThatIsThere(file.backend());
  }

  @Test
  void aFileDeletedWithoutThoseBesideItIsNoSessionEither() throws Exception {
    delete(false);

    holdersSessionIsOver();
    everybodyMeetsInTheFileThatIsThere(file.backend());
  }

  @Test
  void whoeverMakesTheFileAnewIsNotDisturbedByThoseWhoHaveNotNoticed() throws Exception {
    delete(false);
    LockBackend newcomer = file.backend();
    SessionId other = session(newcomer);
    take(newcomer, request(other, "b", IfHeld.REFUSE));

    holdersSessionIsOver();
    assertThat(newcomer.renew(other, soon())).isInstanceOf(Renewed.Alive.class);
    everybodyMeetsInTheFileThatIsThere(newcomer);
  }

  /** What verbs know of the file may be a moment old, but not older. */
  @Test
  void aVerbNoticesItTooIfNoHeartbeatComesBefore() throws Exception {
    LockBackend another = file.backend();
    SessionId others = session(another);
    delete(true);

    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(another.grab(request(others, "b", IfHeld.REFUSE), soon()))
                    .isEqualTo(new Attempt.SessionOver()));
    holdersSessionIsOver();
    everybodyMeetsInTheFileThatIsThere(file.backend());
  }

  /** Holds a lock, and renews once for every line that it reads. */
  static final class Child {

    private Child() {}

    public static void main(String[] arguments) throws IOException {
      try (LockFile file = new LockFile(Path.of(arguments[0]));
          BufferedReader input =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        LockBackend backend = file.backend();
        SessionId session = session(backend);
        take(backend, request(session, "child", IfHeld.REFUSE));
        do {
          System.out.println(backend.renew(session, soon()).getClass().getSimpleName());
        } while (input.readLine() != null);
      }
    }
  }

  @Test
  void whoeverMakesTheFileAnewIsNotDisturbedByOtherProcessesEither() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                file.path.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader answers = child.inputReader();
        BufferedWriter questions = child.outputWriter()) {
      assertThat(answers.readLine()).isEqualTo("Alive");
      delete(false);
      LockBackend newcomer = file.backend();
      SessionId other = session(newcomer);
      take(newcomer, request(other, "child", IfHeld.REFUSE));

      questions.write("\n");
      questions.flush();

      assertThat(answers.readLine()).isEqualTo("Over");
      assertThat(newcomer.renew(other, soon())).isInstanceOf(Renewed.Alive.class);
      everybodyMeetsInTheFileThatIsThere(newcomer);
    } finally {
      child.destroyForcibly();
      child.waitFor();
    }
  }

  @Test
  void aReplacedFileIsNoSession() throws Exception {
    LockFile other = new LockFile(home.resolve("other.db"));
    other.backend();
    other.close();
    delete(true);
    Files.move(other.path, file.path);

    holdersSessionIsOver();
    everybodyMeetsInTheFileThatIsThere(file.backend());
  }

  @Test
  void aFileReplacedBesideItsLogIsNoSessionWhateverSqliteMakesOfIt() throws Exception {
    LockFile other = new LockFile(home.resolve("other.db"));
    LockBackend maker = other.backend();
    SessionId making = session(maker);
    for (int i = 0; i < 50; i++) {
      take(maker, request(making, "other " + i, IfHeld.REFUSE));
    }
    other.close();
    Files.move(other.path, file.path, StandardCopyOption.ATOMIC_MOVE);

    assertThat(holder.renew(session, soon())).isEqualTo(new Renewed.Over());
    assertThatThrownBy(() -> session(file.backend()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("-wal");

    delete(true);
    everybodyMeetsInTheFileThatIsThere(file.backend());
  }

  @Test
  void aRestoredCopyHasNoSessionOfTheFileItWasMadeOf() throws Exception {
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    Path backup = home.resolve("backup.db");
    Files.copy(file.path, backup);
    Request later = request(session, "later", IfHeld.REFUSE);
    take(holder, later);
    delete(true);
    Files.move(backup, file.path, StandardCopyOption.ATOMIC_MOVE);
    assertThat(file.number("SELECT count(*) FROM holdfast_sessions")).isEqualTo(1);

    assertThat(holder.renew(session, soon())).isEqualTo(new Renewed.Over());

    LockBackend newcomer = file.backend();
    SessionId other = session(newcomer);
    Request request = request(other, "a", IfHeld.REFUSE);
    assertThat(newcomer.grab(request, soon())).isInstanceOf(Attempt.Refused.class);
    assertThat(newcomer.overtake(request, LockFile.observed(held, number), soon()))
        .isInstanceOfSatisfying(
            Attempt.Granted.class, granted -> assertThat(granted.number()).isGreaterThan(number));
  }

  @Test
  void aMissingDirectoryIsNoSessionAndAClearErrorForEverybodyElse() throws Exception {
    Path moved = directory.resolve("moved");
    Files.move(home, moved);

    assertThat(holder.renew(session, soon())).isEqualTo(new Renewed.Over());
    assertThatThrownBy(() -> holder.grab(held, soon()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("does not exist");

    Files.createDirectory(home);
    holdersSessionIsOver();
    everybodyMeetsInTheFileThatIsThere(file.backend());
  }

  @Test
  void aReplacedDirectoryIsNoSession() throws Exception {
    Files.move(home, directory.resolve("moved"));
    Files.createDirectory(home);
    LockBackend newcomer = file.backend();
    session(newcomer);

    holdersSessionIsOver();
    everybodyMeetsInTheFileThatIsThere(newcomer);
  }

  @Test
  void aFileThatOnlyMovedAwayAndBackIsStillTheSame() throws Exception {
    holder.close();
    Path moved = directory.resolve("moved");
    Files.move(home, moved);
    Files.move(moved, home);

    assertThat(file.backend().renew(session, soon())).isInstanceOf(Renewed.Alive.class);
  }
}
