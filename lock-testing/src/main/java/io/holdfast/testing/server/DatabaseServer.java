package io.holdfast.testing.server;

import io.holdfast.tck.server.StoreServer;
import java.util.List;
import java.util.Map;

/** A database server. */
public abstract class DatabaseServer extends StoreServer {

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

  /** Returns whether it answers. */
  protected abstract boolean isReady();

  @Override
  public void start() {
    run(user.command(command()), environment).awaitReady(this::isReady);
  }

  /** Returns the port on which it listens. */
  public int port() {
    return port;
  }

  /** Returns the URI of its database, to which parameters may be appended with an ampersand. */
  public abstract String uri();
}
