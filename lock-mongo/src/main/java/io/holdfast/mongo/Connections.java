package io.holdfast.mongo;

import java.util.concurrent.TimeUnit;

/**
 * The clients that a backend uses: our own, which are closed with it, or one of the application's.
 *
 * @param verbs what verbs are sent by
 * @param heartbeats what renewals are sent by
 * @param owned whose they are
 * @param describe how the store is called in messages, without passwords
 */
record Connections(Connection verbs, Connection heartbeats, Owner owned, String describe) {

  private static final long CLOSE_MILLIS_MAX = 2_000;

  /** Who closes the clients. */
  enum Owner {
    US,
    THE_APPLICATION
  }

  /** Lets go. A server that is gone is told of it in vain, which may take long. */
  void close() {
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
