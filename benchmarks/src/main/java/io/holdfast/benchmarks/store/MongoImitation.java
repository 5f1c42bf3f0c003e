package io.holdfast.benchmarks.store;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShortLivedJvm;
import io.holdfast.tck.server.StoreServer;
import io.holdfast.tck.server.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;

/**
 * The imitation of a MongoDB server on which lock-mongo is tested, in a JVM of its own, so that its
 * work is not on the client's account. Its cost says nothing about MongoDB.
 */
public final class MongoImitation extends StoreServer {

  private final int port = ServerProcess.freePort();

  private MongoImitation() {
    super(Tools.makeTemporaryDirectory("holdfast-mongo-imitation-"));
  }

  static MongoImitation launch() {
    MongoImitation imitation = new MongoImitation();
    imitation.startFirst(() -> {});
    return imitation;
  }

  /** Runs an imitation on a port of this machine, for as long as the JVM lives. */
  public static void main(String[] arguments) {
    new MongoServer(new MemoryBackend()).bind("127.0.0.1", Integer.parseInt(arguments[0]));
  }

  int port() {
    return port;
  }

  @Override
  public void start() {
    // It runs for long, so what makes it fast counts, unlike its start.
    List<String> command =
        ShortLivedJvm.command(
            MongoImitation.class.getName(), "-Xmx512m", "-XX:TieredStopAtLevel=4");
    command.add(Integer.toString(port));
    run(command, Map.of()).awaitReady(this::isReady);
  }

  private boolean isReady() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  protected String shutdownSignal() {
    return "TERM";
  }
}
