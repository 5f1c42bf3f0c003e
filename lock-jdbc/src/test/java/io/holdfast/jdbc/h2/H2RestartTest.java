package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.tck.adapter.OutageFixture;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.server.ServerProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.h2.tools.Server;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What was answered is there when the process that has the database open was killed. */
@Execution(ExecutionMode.CONCURRENT)
@Adapter("h2")
class H2RestartTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  /** What it was set to is a row too, beside what it is. */
  private static final String DELAYS =
      """
      SELECT DISTINCT setting_value FROM information_schema.settings
      WHERE setting_name = 'WRITE_DELAY'""";

  @TempDir private Path directory;

  @RepeatedTest(5)
  @Proves({Claim.GRANTS_SURVIVE_FAIL_OVER, Claim.GRANTS_SURVIVE_RESTART})
  void noGrantIsLostWhenTheProcessThatHasTheFileOpenIsKilled() throws Exception {
    H2TestDatabase place = H2TestDatabase.in(directory);
    try (H2Owner owner = H2Owner.start(place.uri())) {
      for (int i = 0; i < 20; i++) {
        owner.awaitNumber();
      }

      long last = owner.kill();

      assertThat(Long.parseLong(place.text("SELECT coalesce(max(number), 0) FROM holdfast_locks")))
          .isGreaterThanOrEqualTo(last);
    }
  }

  @Test
  void thoseWhoUseTheFileOfAnOwnerThatIsKilledGoOn() throws Exception {
    H2TestDatabase place = H2TestDatabase.in(directory);
    try (H2Owner owner = H2Owner.start(place.uri())) {
      owner.awaitNumber();
      try (LockClient client = connect(place.uri());
          Grant held = client.lock("b").acquire(WAIT_MAX)) {
        owner.kill();

        held.check();
        try (Grant next = client.lock("c").acquire(WAIT_MAX)) {
          next.check();
        }
      }
    }
  }

  /** H2's driver opens the file again by itself, so that no setting is executed. */
  @Test
  @Proves(Claim.GRANTS_SURVIVE_FAIL_OVER)
  void whoOpensTheFileOfAnOwnerThatWasKilledWritesAtOnce() throws Exception {
    H2TestDatabase place = H2TestDatabase.in(directory);
    try (H2Owner owner = H2Owner.start(place.uri())) {
      owner.awaitNumber();
      try (Connection used = new H2Source(new H2Uri(place.uri())).take(soon()).jdbc();
          Statement statement = used.createStatement()) {
        owner.kill();

        List<String> delays = new ArrayList<>();
        try (ResultSet row = statement.executeQuery(DELAYS)) {
          while (row.next()) {
            delays.add(row.getString(1));
          }
        }
        assertThat(delays).containsExactly("0");
      }
    }
  }

  /** The owner answers late if the machine stands still. */
  private static LockClient connect(String uri) {
    return await()
        .atMost(WAIT_MAX)
        .ignoreExceptionsInstanceOf(BackendUnreachableException.class)
        .until(() -> Holdfast.connect(uri), client -> true);
  }

  @Test
  void whatIsHeldAndAwaitedIsSoAfterAServerWasKilled() {
    int port = ServerProcess.freePort();
    String uri = "jdbc:h2:tcp://127.0.0.1:%d/./locks".formatted(port);
    Deque<ServerProcess> lives = new ArrayDeque<>(List.of(serve(port, uri)));
    try {
      OutageFixture clients = new Clients(uri);
      clients.holdAndWaitOver(
          () -> {
            lives.getLast().close();
            lives.add(serve(port, uri));
          });
    } finally {
      lives.forEach(ServerProcess::close);
    }
  }

  /** On a busy machine a JVM that becomes a server takes its time to start. */
  private record Clients(String uri) implements OutageFixture {
    @Override
    public Duration ttl() {
      return Duration.ofSeconds(60);
    }
  }

  private ServerProcess serve(int port, String uri) {
    ServerProcess server =
        ServerProcess.start(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Server.class.getName(),
                "-tcp",
                "-tcpPort",
                Integer.toString(port),
                "-ifNotExists",
                "-baseDir",
                directory.toString()),
            directory.resolve("server.log"));
    server.awaitReady(() -> answers(uri));
    return server;
  }

  private static boolean answers(String uri) {
    try {
      DriverManager.getConnection(uri, "sa", "").close();
      return true;
    } catch (SQLException e) {
      return false;
    }
  }
}
