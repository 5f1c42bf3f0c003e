/**
 * The adapter that keeps locks in Redis.
 *
 * <p>Applications use {@link io.holdfast.redis.RedisLockProvider} through a URI, or {@link
 * io.holdfast.redis.RedisLocks} with a jedis client of their own. {@code RedisLockBackend} has the
 * verbs; each verb runs one script. {@code Sessions} has the verbs on sessions, {@code LockVerbs}
 * those that change who holds a lock, {@code LockReader} those that read, {@code Sweep} the sweep,
 * and {@code RedisHints} is the push channel. {@code EntryText} and {@code RecordReply} are what a
 * lock's record looks like here.
 *
 * <p>The two packages below this one are internal: {@code script} holds the scripts, which define
 * how locks are stored, and {@code connection} sends them to the server. This package may use both.
 */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;
