/**
 * The adapter that keeps locks in an SQL database, over JDBC.
 *
 * <p>{@link io.holdfast.jdbc.JdbcLockProvider} takes the URIs, and {@link
 * io.holdfast.jdbc.JdbcLocks} an application's {@code DataSource}. All other packages are internal.
 * {@code verbs} has the verbs on sessions for every database, and the verbs on locks for those
 * whose queue is a text; PostgreSQL has its own in {@code postgres.locks}. {@code watch} sees
 * hand-overs where the database does not tell of them; {@code connections} and {@code pools} have
 * the connections over which all of that runs; {@code database} is what a kind of database must
 * provide, and {@code sqlite}, {@code postgres}, {@code mariadb} and {@code h2} each provide it.
 * Only this package knows all of them: it connects a URI or a data source with its database.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
