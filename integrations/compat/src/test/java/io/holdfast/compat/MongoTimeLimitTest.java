package io.holdfast.compat;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.holdfast.compat.app.Application;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether its driver keeps the time or not, a client tells the server how long each command may
 * take. Otherwise a server without a majority would keep a connection and a thread for each call.
 */
@Tag("server")
class MongoTimeLimitTest {

  private static final Set<String> OF_LOCKS =
      Set.of("findAndModify", "find", "aggregate", "update", "delete", "createIndexes");

  @TempDir private Path directory;

  private final Queue<Document> commands = new ConcurrentLinkedQueue<>();
  private MongoServer server;

  @BeforeEach
  void start() {
    server = new MongoServer(recorded(new MemoryBackend()));
    server.bind("localhost", 0);
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  private MongoBackend recorded(MongoBackend store) {
    return (MongoBackend)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {MongoBackend.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("handleMessage")) {
                commands.add(((MongoMessage) arguments[0]).getDocument());
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.3", "3.4", "3.5", "4.0"})
  void theServerIsToldHowLongEachCommandMayTake(String boot) throws Exception {
    String uri = "mongodb://localhost:" + server.getLocalAddress().getPort();

    String printed = ForeignJvm.ofBoot(boot).run(directory, Application.class, uri);

    assertThat(printed).contains("works mongodb:");
    List<Document> ofLocks =
        commands.stream().filter(command -> OF_LOCKS.contains(name(command))).toList();
    assertThat(ofLocks).isNotEmpty();
    assertThat(ofLocks.stream().filter(command -> !isBounded(command)))
        .as("commands without a limit")
        .isEmpty();
  }

  private static String name(Document command) {
    return command.keySet().iterator().next();
  }

  /** Drivers that do not keep the time have no other limit for changes of several documents. */
  private static boolean isBounded(Document command) {
    return command.containsKey("maxTimeMS")
        || (Set.of("update", "delete").contains(name(command))
            && command.get("writeConcern") instanceof Document concern
            && concern.containsKey("wtimeout"));
  }
}
