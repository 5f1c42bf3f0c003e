package io.holdfast;

/**
 * A request that waits in a lock's queue.
 *
 * @param request its id
 * @param mode how the lock will be held
 * @param process who the waiting process says it is
 * @param why what the waiter wants the lock for, possibly empty
 */
public record Waiter(RequestId request, LockMode mode, ProcessIdentity process, String why) {}
