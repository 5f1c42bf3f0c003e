package io.holdfast.zookeeper.connection;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Threads of this package: daemons, and named. */
public final class Threads {

  private static final String PREFIX = "holdfast-zookeeper-";

  private Threads() {}

  /** Starts one; what it starts itself is named after it. */
  static void start(String name, Runnable body) {
    make(name, body).start();
  }

  /** Makes a thread for timers, which comes with the first. */
  public static ScheduledThreadPoolExecutor timers() {
    ScheduledThreadPoolExecutor timers =
        new ScheduledThreadPoolExecutor(1, body -> make("timer", body));
    timers.setRemoveOnCancelPolicy(true);
    return timers;
  }

  private static Thread make(String name, Runnable body) {
    Thread thread = new Thread(body, PREFIX + name);
    thread.setDaemon(true);
    return thread;
  }
}
