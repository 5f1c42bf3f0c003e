package io.holdfast.etcd;

import io.etcd.jetcd.common.exception.EtcdException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says what etcd's errors mean for whoever wants a lock. */
final class EtcdErrors {

  private EtcdErrors() {}

  /** Returns whether a request names a lease that is over. */
  static boolean isLeaseGone(Throwable failure) {
    return status(failure).getCode() == Status.Code.NOT_FOUND;
  }

  /** Returns whether the server could not be reached at all. */
  static boolean isUnreachable(Throwable failure) {
    return status(failure).getCode() == Status.Code.UNAVAILABLE;
  }

  /** Returns whether a request was refused because the user's token has to be made anew. */
  static boolean isTokenStale(Throwable failure) {
    String said = String.valueOf(status(failure).getDescription());
    return said.contains("invalid auth token") || said.contains("auth store is old");
  }

  /** Returns the exception that says what happened. */
  static RuntimeException failure(String where, Throwable failure) {
    Status status = status(failure);
    String said = status.getDescription() == null ? failure.toString() : status.getDescription();
    if (isTokenStale(failure)) {
      return new BackendFailure(
          Effect.NONE, "%s wants the user to log in again (%s).".formatted(where, said), failure);
    }
    return switch (status.getCode()) {
      case PERMISSION_DENIED ->
          unusable(
              failure,
              "The user may not do this at %s (%s). Grant its role readwrite on all keys that begin with the prefix."
                  .formatted(where, said));
      case UNAUTHENTICATED -> refused(where, said, failure);
      case UNIMPLEMENTED ->
          unusable(failure, "%s is too old (%s). Use etcd 3.4 or newer.".formatted(where, said));
      case INVALID_ARGUMENT, FAILED_PRECONDITION ->
          isAboutUsers(said)
              ? refused(where, said, failure)
              : new BackendFailure(
                  Effect.NONE, "%s refused a request: %s".formatted(where, said), failure);
      case RESOURCE_EXHAUSTED -> exhausted(where, said, failure);
      default ->
          new BackendFailure(
              Effect.UNKNOWN,
              "%s cannot be reached, or has broken off: %s".formatted(where, said),
              failure);
    };
  }

  private static BackendFailure exhausted(String where, String said, Throwable failure) {
    // An answer that is too great belongs to a request that was done.
    return isAboutSize(said)
        ? new BackendFailure(
            Effect.UNKNOWN,
            "A message to or from %s is greater than one may be (%s). Have fewer wait for one lock (maxWaiters), or publish less with a request."
                .formatted(where, said),
            failure)
        : new BackendFailure(
            Effect.NONE,
            "%s takes nothing more (%s). If its space is used up: compact, defragment, disarm the alarm."
                .formatted(where, said),
            failure);
  }

  private static boolean isAboutSize(String said) {
    return said.contains("exceeds maximum size") || said.contains("larger than max");
  }

  /** Returns whether a request was refused because it needs space, of which there is none left. */
  static boolean isOutOfSpace(Throwable failure) {
    Status status = status(failure);
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && String.valueOf(status.getDescription()).contains("database space exceeded");
  }

  private static boolean isAboutUsers(String said) {
    String text = said.toLowerCase(Locale.ROOT);
    return text.contains("user name is empty") || text.contains("authentication");
  }

  private static RuntimeException refused(String where, String said, Throwable failure) {
    return unusable(
        failure, "%s does not let us in (%s). Look at user and password.".formatted(where, said));
  }

  private static RuntimeException unusable(Throwable failure, String message) {
    return new BackendUnusableException(message, failure);
  }

  /** jetcd has exceptions of its own for some failures and passes on gRPC's for others. */
  private static Status status(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StatusRuntimeException grpc) {
        return ofLogin(grpc.getStatus());
      }
      if (cause instanceof EtcdException etcd) {
        return Status.Code.valueOf(etcd.getErrorCode().name())
            .toStatus()
            .withDescription(etcd.getMessage());
      }
    }
    return Status.UNKNOWN.withDescription(failure.toString());
  }

  /**
   * A request is also said to be unauthenticated if the member was away that should have logged the
   * user in: what it failed of is the cause then.
   */
  private static Status ofLogin(Status status) {
    @Nullable Throwable cause = status.getCause();
    if (status.getCode() != Status.Code.UNAUTHENTICATED || cause == null) {
      return status;
    }
    Status why = status(cause);
    return switch (why.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, ABORTED, INTERNAL ->
          Status.UNAVAILABLE.withDescription("login: " + why);
      default -> status;
    };
  }
}
