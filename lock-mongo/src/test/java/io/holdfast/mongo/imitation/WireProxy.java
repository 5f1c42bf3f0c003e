package io.holdfast.mongo.imitation;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.BsonDocument;

/**
 * A proxy between a client and a server that reads every command, and may answer in the server's
 * place.
 */
public final class WireProxy implements AutoCloseable {

  /** What happens to a command. */
  public sealed interface Fate {

    /** The server executes it, and its answer reaches the client. */
    record Passes() implements Fate {}

    /** It does not reach the server; the client gets this answer. */
    record AnsweredInstead(BsonDocument answer) implements Fate {}

    /** The server executes it, and the client gets this answer instead of the server's. */
    record DoneAndAnswered(BsonDocument answer) implements Fate {}

    /** The server executes it, and its answer reaches the client with these fields added. */
    record DoneWith(BsonDocument addition) implements Fate {}

    /**
     * The server executes it, and its answer is shown to a consumer before it reaches the client.
     */
    record DoneAndShown(Consumer<BsonDocument> to) implements Fate {}

    /** It does not reach the server, and the connection breaks. */
    record Lost() implements Fate {}

    /** The server executes it, and the connection breaks. */
    record DoneAndLost() implements Fate {}
  }

  private final ServerSocket listening;
  private final int server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile Function<BsonDocument, Fate> fates = command -> new Fate.Passes();

  /** Fields that are added to the server's greetings. */
  private volatile BsonDocument greeting = new BsonDocument();

  private WireProxy(int server) throws IOException {
    this.server = server;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  static WireProxy before(int server) throws IOException {
    WireProxy proxy = new WireProxy(server);
    proxy.start("wire-proxy", proxy::accept);
    return proxy;
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Sets the function that decides what happens to each command, except greetings. */
  void judge(Function<BsonDocument, Fate> fates) {
    this.fates = fates;
  }

  /** Adds fields to the server's greeting, to imitate another kind of server. */
  void greetWith(BsonDocument addition) {
    this.greeting = addition;
  }

  private interface Work {
    void run() throws IOException;
  }

  private void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException closed) {
                // One of the two sides has gone, or the test is over.
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listening.accept();
      sockets.add(client);
      start("wire-proxy-connection", () -> serve(client));
    }
  }

  private void serve(Socket client) throws IOException {
    try (client;
        Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server)) {
      sockets.add(upstream);
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      DataInputStream requests = new DataInputStream(client.getInputStream());
      DataInputStream answers = new DataInputStream(upstream.getInputStream());
      boolean open = true;
      while (open) {
        open =
            relay(
                WireMessage.read(requests),
                upstream.getOutputStream(),
                answers,
                client.getOutputStream());
      }
      sockets.remove(upstream);
    } finally {
      sockets.remove(client);
    }
  }

  /** Returns whether the connection stays open. */
  private boolean relay(
      WireMessage request, OutputStream toServer, DataInputStream answers, OutputStream toClient)
      throws IOException {
    Fate fate = isGreeting(request) ? new Fate.DoneWith(greeting) : fates.apply(request.document());
    if (fate instanceof Fate.Lost) {
      return false;
    }
    if (fate instanceof Fate.AnsweredInstead instead) {
      WireMessage.answer(request, instead.answer()).writeTo(toClient);
      return true;
    }
    request.writeTo(toServer);
    WireMessage answer = WireMessage.read(answers);
    if (fate instanceof Fate.DoneAndLost) {
      return false;
    }
    if (fate instanceof Fate.DoneAndAnswered done) {
      answer = WireMessage.answer(request, done.answer());
    }
    if (fate instanceof Fate.DoneWith done) {
      answer = answer.with(done.addition());
    }
    if (fate instanceof Fate.DoneAndShown done) {
      done.to().accept(answer.document());
    }
    answer.writeTo(toClient);
    return true;
  }

  private static boolean isGreeting(WireMessage request) {
    return !request.isMessage()
        || Set.of("hello", "isMaster", "ismaster").contains(request.document().getFirstKey());
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
