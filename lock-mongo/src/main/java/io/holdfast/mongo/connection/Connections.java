package io.holdfast.mongo.connection;

import java.util.concurrent.TimeUnit;

/**
 * The clients that a backend uses: its own, which are closed with it, or one of the application.
 *
 * @param verbs the client for all verbs but renewals
 * @param heartbeats the client for renewals
 * @param owned the one that closes the clients
 * @param describe the name of the store in messages, without passwords
 */
public record Connections(Connection verbs, Connection heartbeats, Owner owned, String describe) {

  private static final long CLOSE_MILLIS_MAX = 2_000;

  /** The one that closes the clients. */
  public enum Owner {
    US,
    THE_APPLICATION
  }

  /**
   * Closes the clients that the backend owns. The driver tells the server, which may take long if
   * the server is gone; so the wait is bounded.
   */
  public void close() {
    if (owned == Owner.THE_APPLICATION) {
      return;
    }
    Thread closing =
        new Thread(
            () -> {
              verbs.close();
              heartbeats.close();
            },
            "holdfast-mongo-close");
    closing.setDaemon(true);
    closing.start();
    try {
      TimeUnit.MILLISECONDS.timedJoin(closing, CLOSE_MILLIS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
