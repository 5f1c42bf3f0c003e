package io.holdfast.zookeeper.connection;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Translates ZooKeeper's error codes into this library's exceptions. */
public final class ZookeeperErrors {

  private ZookeeperErrors() {}

  /** Returns whether a verb handles this code itself. */
  public static boolean isAnswer(Code code) {
    return switch (code) {
      case OK, NONODE, NODEEXISTS, BADVERSION, NOTEMPTY -> true;
      default -> false;
    };
  }

  /** Returns whether the connection can no longer be used. */
  public static boolean isLost(Code code) {
    return switch (code) {
      case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONMOVED, SESSIONEXPIRED -> true;
      default -> false;
    };
  }

  /**
   * Returns the exception that says what happened.
   *
   * @param effect what the call may have changed in the store
   */
  public static RuntimeException failure(String where, Code code, Effect effect) {
    return switch (code) {
      case AUTHFAILED -> refused(where);
      case NOAUTH, INVALIDACL ->
          new BackendUnusableException(
              "The user may not do this at %s (%s). Give it all rights on the path, or log in as another."
                  .formatted(where, code));
      case UNIMPLEMENTED ->
          new BackendUnusableException(
              "%s is too old (%s). Use ZooKeeper 3.6 or newer.".formatted(where, code));
      case SESSIONCLOSEDREQUIRESASLAUTH ->
          new BackendUnusableException(
              "%s demands another login (%s). Log in as enforce.auth.schemes or sessionRequireClientSASLAuth of the servers say."
                  .formatted(where, code));
      case EPHEMERALONLOCALSESSION ->
          new BackendUnusableException(
              "%s keeps no ephemeral nodes for local sessions (%s). Set localSessionsEnabled=false at the servers."
                  .formatted(where, code));
      case QUOTAEXCEEDED, THROTTLEDOP ->
          new BackendFailure(
              Effect.NONE, "%s accepts no more requests now (%s).".formatted(where, code), null);
      case NOTREADONLY ->
          new BackendFailure(
              Effect.NONE,
              "The client of %s is connected to a server without a quorum, which only reads (%s)."
                  .formatted(where, code),
              null);
      case SESSIONMOVED ->
          new BackendFailure(
              effect,
              "Another connection to %s has taken over the session.".formatted(where),
              KeeperException.create(code));
      default ->
          new BackendFailure(
              effect,
              "%s cannot be reached, or the connection broke (%s).".formatted(where, code),
              KeeperException.create(code));
    };
  }

  /** Returns the exception for a login that the servers refused. */
  static RuntimeException refused(String where) {
    return new BackendUnusableException(
        "%s refused the login. Check user and password.".formatted(where));
  }
}
