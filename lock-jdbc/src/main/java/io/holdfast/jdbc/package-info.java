/**
 * The adapter that keeps locks in an SQL database, over JDBC.
 *
 * <p>{@link io.holdfast.jdbc.JdbcLockProvider} takes the URIs. Behind it, a backend's verbs are in
 * {@code Sessions}, {@code Queues}, {@code Views} and {@code Sweep}; they speak to the database
 * through {@code Connections} and {@code Link} in the statements of a {@code Dialect}. What a kind
 * of database makes different besides its statements is a {@code Database}: connecting, errors, and
 * whether it still is the same one. {@link io.holdfast.spi.QueueText} is how a queue lies in a
 * lock's row.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
