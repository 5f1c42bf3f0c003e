package io.holdfast.benchmarks.rungs;

/**
 * A rung between the limit and the adapter in Redis. Its scripts have the keys and arguments of the
 * adapter's, but for what they do not use.
 *
 * @param adds what it does more than the step below
 * @param clause the promise that demands it
 * @param take stores the lock's record, which is not there
 * @param leave deletes it
 * @param hasEntry whether the first script takes the request's entry, and what follows it
 */
record RedisStep(String adds, String clause, String take, String leave, boolean hasEntry) {}
