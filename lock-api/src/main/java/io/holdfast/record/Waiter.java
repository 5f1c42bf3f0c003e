package io.holdfast.record;

import io.holdfast.LockMode;
import io.holdfast.ProcessIdentity;

/**
 * A request that waits in a lock's queue.
 *
 * @param request its id
 * @param mode the mode in which the lock will be held
 * @param process the identity that the waiting process has given itself
 * @param why the reason that the waiter gave, possibly empty
 */
public record Waiter(RequestId request, LockMode mode, ProcessIdentity process, String why) {}
