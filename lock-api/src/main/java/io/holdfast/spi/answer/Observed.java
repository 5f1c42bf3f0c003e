package io.holdfast.spi.answer;

import io.holdfast.LockName;
import io.holdfast.record.RequestId;

/**
 * A holder of a lock at the moment of a read; the condition of a compare-and-set.
 *
 * @param name the lock
 * @param number the number of its grant
 * @param request the request that holds
 */
public record Observed(LockName name, long number, RequestId request) {}
