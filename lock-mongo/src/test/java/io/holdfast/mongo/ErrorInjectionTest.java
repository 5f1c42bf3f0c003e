package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.holdfast.mongo.FaultyScenario.Part;
import io.holdfast.mongo.connection.Connection;
import io.holdfast.mongo.connection.Connections;
import io.holdfast.mongo.connection.Connections.Owner;
import io.holdfast.mongo.imitation.ClockedServer;
import io.holdfast.mongo.imitation.InjectedFault;
import io.holdfast.mongo.imitation.InjectedFault.Kind;
import io.holdfast.mongo.imitation.RealServerRules;
import io.holdfast.mongo.imitation.StrictProxy;
import io.holdfast.mongo.imitation.WireProxy.Fate;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each error at each command of a fixed scenario, before or after the server has done it. The
 * scenario is played part by part, each with an error at one of its own commands: whole, it would
 * play a hundred commands for each of them.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class ErrorInjectionTest {

  private static final AtomicInteger SERIALS = new AtomicInteger();

  private static ClockedServer server;
  private static MongoClient direct;

  @BeforeAll
  static void start() throws IOException {
    server = ClockedServer.start();
    direct = client("mongodb://localhost:" + server.port());
  }

  /**
   * Checks the server often: after each error that means a change of the primary, the driver waits
   * for the next check.
   */
  private static MongoClient client(String uri) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(uri))
            .applyToServerSettings(
                settings ->
                    settings
                        .heartbeatFrequency(100, TimeUnit.MILLISECONDS)
                        .minHeartbeatFrequency(1, TimeUnit.MILLISECONDS))
            .retryWrites(false)
            .retryReads(false)
            .build());
  }

  @AfterAll
  static void stop() throws IOException {
    direct.close();
    server.close();
  }

  @Test
  void theScenarioPassesWithoutErrors() throws IOException {
    try (StrictProxy proxy = StrictProxy.before(server.port());
        MongoClient faulty = client(proxy.uri("any"))) {
      int commands = 0;
      for (Part part : Part.values()) {
        int ofPart = play(proxy, faulty, part, 0, InjectedFault.LOST);
        assertThat(ofPart).as("commands of %s", part).isPositive();
        commands += ofPart;
      }
      assertThat(commands).isGreaterThan(90);
    }
  }

  /** Of each kind of fault, one at each command: the faults of a kind take turns. */
  @ParameterizedTest
  @EnumSource
  void anErrorAtAnyCommandDoesNoHarmAndIsToldTruly(Kind kind) throws IOException {
    playWithAnyOf(kind.faults());
  }

  /** Each fault at each command. */
  @ParameterizedTest
  @EnumSource
  @Tag("soak")
  void whateverTheErrorSays(InjectedFault fault) throws IOException {
    playWithAnyOf(List.of(fault));
  }

  private static void playWithAnyOf(List<InjectedFault> faults) throws IOException {
    try (StrictProxy proxy = StrictProxy.before(server.port());
        MongoClient faulty = client(proxy.uri("any"))) {
      for (Part part : Part.values()) {
        int commands = play(proxy, faulty, part, 0, faults.get(0));
        for (int at = 1; at <= commands; at++) {
          play(proxy, faulty, part, at, faults.get(at % faults.size()));
        }
      }
    }
  }

  /** Plays a part with an error at one of its commands, and returns how many there were. */
  private static int play(
      StrictProxy proxy, MongoClient faulty, Part part, int at, InjectedFault fault) {
    String database = "run" + SERIALS.incrementAndGet();
    server.remember(database);
    AtomicInteger commands = new AtomicInteger();
    FaultyScenario scenario =
        new FaultyScenario(
            backends(faulty, database),
            backends(direct, database),
            by -> server.stepClock(database, by));
    proxy.judge(
        command -> {
          if (RealServerRules.isGreeting(command)
              || !scenario.isInItsPart()
              || commands.incrementAndGet() != at) {
            return new Fate.Passes();
          }
          scenario.meets(fault, command);
          return fault.fate();
        });
    try {
      scenario.play(part);
      proxy.requireNoFaults();
      return commands.get();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "With %s at command %d of %s: %s".formatted(fault, at, part, e.getMessage()), e);
    } finally {
      proxy.judge(command -> new Fate.Passes());
      server.drop(database);
    }
  }

  private static FaultyScenario.Opener backends(MongoClient client, String database) {
    Connection connection = new Connection(client, database, MongoNames.PREFIX_DEFAULT);
    Connections connections =
        new Connections(connection, connection, Owner.THE_APPLICATION, "mongodb:" + database);
    return (options, deadline) ->
        MongoLockBackend.open(connections, MongoSettings.standard(), options, deadline);
  }

  static boolean isWrite(BsonDocument command) {
    return switch (command.getFirstKey()) {
      case "findAndModify", "update", "delete" -> true;
      default -> false;
    };
  }
}
