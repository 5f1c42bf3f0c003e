package io.holdfast.testing.server;

import io.holdfast.tck.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;

/** A database server. */
public abstract class DatabaseServer extends StoreServer {

  private static final byte[] LOCALHOST = {127, 0, 0, 1};

  private final UnprivilegedUser user;
  private final int port;
  private final Map<String, String> environment;

  protected DatabaseServer(
      UnprivilegedUser user, String kind, int port, Map<String, String> environment) {
    super(user.makeDirectory("holdfast-" + kind + "-"));
    this.user = user;
    this.port = port;
    this.environment = environment;
  }

  /** Returns what starts it with the data that is there. */
  protected abstract List<String> command();

  /** Returns whether it answers. Called when something listens on its port. */
  protected abstract boolean isReady();

  @Override
  public void start() {
    run(user.command(command()), environment).awaitReady(() -> listens() && isReady());
  }

  /** A program that asks it takes long to start, and is asked again and again. */
  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getByAddress(LOCALHOST), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the port on which it listens. */
  public int port() {
    return port;
  }

  /** Returns the URI of its database, to which parameters may be appended with an ampersand. */
  public abstract String uri();
}
