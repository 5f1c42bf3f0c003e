/**
 * Connections to Redis; internal. A {@code RedisClient} runs scripts, either over our own
 * connections ({@code OwnClient}, with a {@code ConnectionPool} of {@code ServerConnection}s that a
 * {@code Connector} opens) or over a jedis client of the application ({@code ApplicationClient}).
 * URIs, TLS and the meaning of the server's errors are here too.
 *
 * <p>May use the package {@code script}, but not the backend.
 */
@NullMarked
package io.holdfast.redis.connection;

import org.jspecify.annotations.NullMarked;
