package io.holdfast.spi;

import io.holdfast.LockName;
import io.holdfast.record.RequestId;

/**
 * A request's id and the lock that it asks for.
 *
 * @param name the lock
 * @param request the request
 */
public record RequestKey(LockName name, RequestId request) {}
