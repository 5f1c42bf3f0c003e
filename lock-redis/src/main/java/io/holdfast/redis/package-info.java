/**
 * The adapter that keeps locks in Redis.
 *
 * <p>{@link io.holdfast.redis.RedisLockProvider} takes the URIs, {@link
 * io.holdfast.redis.RedisLocks} the application's own client. Behind them, each verb of {@code
 * RedisLockBackend} is one {@code Script}; the scripts lie in files beside this package, with what
 * all of them share in {@code common.lua}, and are where to look for how locks are kept. They are
 * sent through a {@code Redis}: over connections of ours ({@code OwnRedis}, {@code Links}, {@code
 * Link}) or over the application's ({@code GivenRedis}). {@code RedisHints} is the push channel.
 */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;
