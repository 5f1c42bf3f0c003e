package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * What every exception of this library is. The subclasses are the things that a caller may want to
 * tell apart.
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
        LockTimeoutException {

  HoldfastException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
