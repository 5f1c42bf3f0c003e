package io.holdfast.error;

import org.jspecify.annotations.Nullable;

/**
 * The base class of all exceptions of this library. Each subclass is a failure that a caller may
 * want to handle in its own way.
 */
@SuppressWarnings("serial")
public abstract sealed class HoldfastException extends RuntimeException
    permits AlreadyHeldException,
        BackendUnreachableException,
        BackendUnusableException,
        BadRequestException,
        ClientClosedException,
        LockInterruptedException,
        LockLostException,
        LockQueueFullException,
        LockTimeoutException,
        StaleTokenException {

  HoldfastException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
