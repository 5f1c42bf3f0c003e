/**
 * The adapter that keeps locks in an SQL database, over JDBC.
 *
 * <p>{@link io.holdfast.jdbc.JdbcLockProvider} takes the URIs, and {@link
 * io.holdfast.jdbc.JdbcLocks} an application's {@code DataSource}. Behind them, a backend's verbs
 * are in {@code Sessions}, {@code Queues}, {@code Views} and {@code Sweep}; they speak to the
 * database through {@code Lanes}, {@code Connections} and {@code Link} in the statements of a
 * {@code Dialect}. What a kind of database makes different besides its statements is a {@code
 * Database}: connecting, errors, and whether it still is the same one; those of servers share
 * {@code ServerDatabase}, which gets its connections from a {@code ConnectionSource}. {@link
 * io.holdfast.spi.QueueText} is how a queue lies in a lock's row.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
