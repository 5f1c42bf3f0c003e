package io.holdfast.etcd.connection;

import io.etcd.jetcd.common.exception.EtcdException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Translates errors of etcd, jetcd and gRPC into exceptions of the SPI. */
public final class EtcdErrors {

  private EtcdErrors() {}

  /** Returns whether a request names a lease that is over. */
  static boolean isLeaseGone(Throwable failure) {
    return status(failure).getCode() == Status.Code.NOT_FOUND;
  }

  /** Returns whether the server was unreachable. */
  static boolean isUnreachable(Throwable failure) {
    return status(failure).getCode() == Status.Code.UNAVAILABLE;
  }

  /** Returns whether a call was refused because the authentication token is outdated. */
  static boolean isTokenStale(Throwable failure) {
    String said = String.valueOf(status(failure).getDescription());
    return said.contains("invalid auth token") || said.contains("auth store is old");
  }

  /** Returns the exception for an error. */
  static RuntimeException failure(String where, Throwable failure) {
    Status status = status(failure);
    String said = status.getDescription() == null ? failure.toString() : status.getDescription();
    if (isTokenStale(failure)) {
      return new BackendFailure(
          Effect.NONE,
          "%s requires the user to log in again (%s).".formatted(where, said),
          failure);
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
              "%s cannot be reached, or the connection broke: %s".formatted(where, said),
              failure);
    };
  }

  /**
   * Only before it has begun a request does etcd say that there are too many. Space may be found to
   * be missing once the request is done, as is room for its answer; and a connection may be ended
   * with this code under a request that was sent.
   */
  private static BackendFailure exhausted(String where, String said, Throwable failure) {
    return new BackendFailure(
        said.startsWith("etcdserver: too many requests") ? Effect.NONE : Effect.UNKNOWN,
        (isAboutSize(said)
                ? "A message to or from %s is too large (%s). Let fewer requests wait for one lock (maxWaiters), or use smaller payloads."
                : "%s takes nothing more (%s). If its space is exhausted: compact, defragment, disarm the alarm.")
            .formatted(where, said),
        failure);
  }

  /** Returns whether the answer to a call was larger than what the client takes. */
  static boolean isAnswerTooLarge(Throwable failure) {
    Status status = status(failure);
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && isAboutSize(String.valueOf(status.getDescription()));
  }

  private static boolean isAboutSize(String said) {
    return said.contains("exceeds maximum size") || said.contains("larger than max");
  }

  /** Returns whether a call was refused because the database has no space left. */
  public static boolean isOutOfSpace(Throwable failure) {
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
        failure, "%s refused the login (%s). Check user and password.".formatted(where, said));
  }

  private static RuntimeException unusable(Throwable failure, String message) {
    return new BackendUnusableException(message, failure);
  }

  /** jetcd throws its own exceptions for some failures and those of gRPC for others. */
  private static Status status(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StatusRuntimeException grpc) {
        return ofLogin(grpc.getStatus());
      }
      if (cause instanceof EtcdException etcd) {
        return ofLogin(
            Status.Code.valueOf(etcd.getErrorCode().name())
                .toStatus()
                .withDescription(etcd.getMessage())
                .withCause(etcd.getCause()));
      }
    }
    return Status.UNKNOWN.withDescription(failure.toString());
  }

  /**
   * Returns what a failed login means, if it is one: the call for which the user was to be logged
   * in fails as unauthenticated for any reason. An error of etcd about the user is a refusal;
   * anything else is about the member that was asked, which may be away, have too much to do, or
   * only learn.
   */
  private static Status ofLogin(Status status) {
    @Nullable Throwable cause = status.getCause();
    if (status.getCode() != Status.Code.UNAUTHENTICATED || cause == null) {
      return status;
    }
    Status why = status(cause);
    return switch (why.getCode()) {
      case UNIMPLEMENTED -> why;
      case UNAUTHENTICATED, PERMISSION_DENIED -> status.withDescription(why.getDescription());
      case INVALID_ARGUMENT, FAILED_PRECONDITION ->
          isAboutUsers(String.valueOf(why.getDescription()))
              ? status.withDescription(why.getDescription())
              : away(why);
      default -> away(why);
    };
  }

  private static Status away(Status why) {
    return Status.UNAVAILABLE.withDescription("login: " + why);
  }
}
