package io.holdfast.zookeeper;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Says what ZooKeeper's errors mean for whoever wants a lock. */
final class ZookeeperErrors {

  private ZookeeperErrors() {}

  /** Returns whether an answer is one that a step reckons with. */
  static boolean isAnswer(Code code) {
    return switch (code) {
      case OK, NONODE, NODEEXISTS, BADVERSION, NOTEMPTY -> true;
      default -> false;
    };
  }

  /** Returns whether the connection is of no use any more. */
  static boolean isLost(Code code) {
    return switch (code) {
      case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONMOVED, SESSIONEXPIRED -> true;
      default -> false;
    };
  }

  /**
   * Returns the exception that says what happened.
   *
   * @param effect what the call may have done that was answered with the code, or not answered
   */
  static RuntimeException failure(String where, Code code, Effect effect) {
    return switch (code) {
      case AUTHFAILED -> refused(where);
      case NOAUTH, INVALIDACL ->
          new BackendUnusableException(
              "The user may not do this at %s (%s). Give it all rights on the path, or log in as another."
                  .formatted(where, code));
      case UNIMPLEMENTED ->
          new BackendUnusableException(
              "%s is too old (%s). Use ZooKeeper 3.6 or newer.".formatted(where, code));
      case QUOTAEXCEEDED, THROTTLEDOP ->
          new BackendFailure(
              Effect.NONE, "%s takes nothing more now (%s).".formatted(where, code), null);
      case SESSIONMOVED ->
          new BackendFailure(
              effect,
              "Another connection to %s has taken the session over.".formatted(where),
              KeeperException.create(code));
      default ->
          new BackendFailure(
              effect,
              "%s cannot be reached, or has broken off (%s).".formatted(where, code),
              KeeperException.create(code));
    };
  }

  /** Returns the exception that says that nobody lets us in. */
  static RuntimeException refused(String where) {
    return new BackendUnusableException(
        "%s does not let us in. Look at user and password.".formatted(where));
  }
}
