package io.holdfast.zookeeper.connection;

/** The ZooKeeper session in whose name something was asked for is over. Never leaves a verb. */
@SuppressWarnings("serial")
public final class SessionOverException extends RuntimeException {

  public SessionOverException() {
    super("The ZooKeeper session is over.", null, false, false);
  }
}
