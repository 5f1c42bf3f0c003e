package io.holdfast.mongo.mongod;

import static org.awaitility.Awaitility.await;

import com.mongodb.MongoException;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.testing.mongo.MongodServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;

/**
 * A replica set of three real servers with short elections. Clients and other members reach each
 * member through a proxy. Used by one thread at a time.
 */
public final class MongodSet implements AutoCloseable {

  private static final int MEMBERS = 3;
  private static final Duration WITHIN = Duration.ofSeconds(90);

  private final List<MongodServer> members = new ArrayList<>();
  private final List<NetworkProxy> ways = new ArrayList<>();

  private MongodSet() {}

  public static MongodSet launch() {
    MongodSet set = new MongodSet();
    try {
      for (int i = 0; i < MEMBERS; i++) {
        MongodServer member = MongodServer.launch("--replSet", "rs0");
        set.members.add(member);
        set.ways.add(NetworkProxy.to(member.port(), Framing::none));
      }
      set.initiate();
      return set;
    } catch (RuntimeException | Error e) {
      set.close();
      throw e;
    }
  }

  private void initiate() {
    List<Document> hosts =
        IntStream.range(0, MEMBERS)
            .mapToObj(i -> new Document("_id", i).append("host", "127.0.0.1:" + ways.get(i).port()))
            .toList();
    Document settings =
        new Document("electionTimeoutMillis", 2_000)
            .append("heartbeatIntervalMillis", 500)
            .append("heartbeatTimeoutSecs", 2);
    Document config =
        new Document("_id", "rs0").append("members", hosts).append("settings", settings);
    members.get(0).run(new Document("replSetInitiate", config));
    awaitWhole();
  }

  public String uri(String database) {
    return ways.stream()
        .map(way -> "127.0.0.1:" + way.port())
        .collect(Collectors.joining(",", "mongodb://", "/%s?replicaSet=rs0".formatted(database)));
  }

  private static boolean is(MongodServer member, String role) {
    try {
      return member.runSoon(new Document("isMaster", 1)).getBoolean(role, false);
    } catch (MongoException gone) {
      return false;
    }
  }

  /** Returns the member that says it is the primary, when there is one. */
  public MongodServer primary() {
    return await("a primary")
        .atMost(WITHIN)
        .until(
            () -> members.stream().filter(member -> is(member, "ismaster")).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /** Returns all other members. */
  public List<MongodServer> others(MongodServer member) {
    return members.stream().filter(other -> other != member).toList();
  }

  /** Returns the network through which a member is reached. */
  public NetworkProxy way(MongodServer member) {
    return ways.get(members.indexOf(member));
  }

  /** Makes the primary step down, and waits until another is elected. */
  public void stepDown() {
    MongodServer before = primary();
    before.run(new Document("replSetStepDown", 60).append("secondaryCatchUpPeriodSecs", 30));
    awaitPrimaryAmong(others(before));
  }

  /** Waits until one of these members is the primary. */
  public void awaitPrimaryAmong(List<MongodServer> those) {
    await().atMost(WITHIN).until(() -> those.stream().anyMatch(member -> is(member, "ismaster")));
  }

  /**
   * Starts members that have exited, and waits until one member is the primary and the others are
   * secondaries.
   */
  public void awaitWhole() {
    ways.forEach(NetworkProxy::heal);
    members.stream().filter(member -> !member.isRunning()).forEach(MongodServer::start);
    await()
        .atMost(WITHIN)
        .until(
            () ->
                members.stream().filter(member -> is(member, "ismaster")).count() == 1
                    && members.stream().filter(member -> is(member, "secondary")).count()
                        == MEMBERS - 1);
  }

  @Override
  public void close() {
    ways.forEach(NetworkProxy::close);
    members.forEach(MongodServer::close);
  }
}
