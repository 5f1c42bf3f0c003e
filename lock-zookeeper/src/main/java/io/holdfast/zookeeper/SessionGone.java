package io.holdfast.zookeeper;

/** The ZooKeeper session in whose name something was asked for is over. Never leaves a verb. */
@SuppressWarnings("serial")
final class SessionGone extends RuntimeException {

  SessionGone() {
    super("The ZooKeeper session is over.", null, false, false);
  }
}
