package io.holdfast.compat;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.holdfast.compat.app.Application;
import io.holdfast.compat.app.Kit;
import io.holdfast.testing.etcd.EtcdServer;
import io.holdfast.testing.mariadb.MariaServer;
import io.holdfast.testing.postgres.PostgresServer;
import io.holdfast.testing.redis.RedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The adapters and the kit, with what each Spring Boot in use puts beside them. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class BootVersionsTest {

  /** Of each run one of its own. */
  @TempDir private Path directory;

  private static RedisServer redis;
  private static EtcdServer etcd;
  private static PostgresServer postgres;
  private static MariaServer maria;
  private static MongoServer mongo;

  @BeforeAll
  static void startServers() {
    redis = RedisServer.launch();
    etcd = EtcdServer.launch();
    postgres = PostgresServer.launch();
    maria = MariaServer.launch();
    mongo = new MongoServer(new MemoryBackend());
    mongo.bind("localhost", 0);
  }

  @AfterAll
  static void stopServers() {
    mongo.shutdownNow();
    maria.close();
    postgres.close();
    etcd.close();
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.3", "3.4", "3.5", "4.0"})
  void locksAreGrabbedHandedOverAndReleased(String boot) throws Exception {
    String[] uris = {
      redis.uri() + "?restartGuard=off",
      postgres.uri(),
      maria.uri(),
      "mongodb://localhost:" + mongo.getLocalAddress().getPort(),
      "jdbc:h2:async:" + directory.resolve("h2") + ";AUTO_SERVER=TRUE",
      "jdbc:sqlite:" + directory.resolve("locks.db")
    };

    String printed = ForeignJvm.ofBoot(boot).run(directory, Application.class, uris);

    // A version of H2 that the adapter refuses by name.
    int refused = boot.equals("3.3") ? 1 : 0;
    assertThat(printed).as("H2").contains(refused == 0 ? "works jdbc:h2" : "2.3 is the least");
    assertThat(printed.lines())
        .as(printed)
        .filteredOn(line -> line.startsWith("works "))
        .hasSize(uris.length - refused);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.5-jetcd-0.8.5", "4.0"})
  void etcdWorksWhereJetcdAndNettyFitTogether(String boot) throws Exception {
    String printed =
        ForeignJvm.ofBoot(boot).run(directory, Application.class, "etcd://" + etcd.address());

    assertThat(printed).contains("works etcd:");
  }

  /** The adapter itself says which property of the build is to be set. */
  @ParameterizedTest
  @ValueSource(strings = {"3.3", "3.4", "3.5"})
  void whereTheyDoNotTheAdapterSaysWhatToTake(String boot) throws Exception {
    String printed =
        ForeignJvm.ofBoot(boot).run(directory, Application.class, "etcd://" + etcd.address());

    assertThat(printed).contains("BackendUnusableException", "jetcd-core 0.8.5", "netty.version");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.3", "3.4", "3.5", "4.0"})
  void theKitRunsWithTheirJUnit(String boot) throws Exception {
    String printed = ForeignJvm.ofBoot(boot).run(directory, Kit.class);

    assertThat(printed).contains("passed " + Kit.RULES.size() + " failed 0");
  }
}
