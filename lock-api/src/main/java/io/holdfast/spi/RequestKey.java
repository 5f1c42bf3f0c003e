package io.holdfast.spi;

import io.holdfast.LockName;
import io.holdfast.RequestId;

/**
 * A request and the lock it is about.
 *
 * @param name the lock
 * @param request the request
 */
public record RequestKey(LockName name, RequestId request) {}
