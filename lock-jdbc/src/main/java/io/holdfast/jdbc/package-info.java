/**
 * The adapter that keeps locks in an SQL database, over JDBC.
 *
 * <p>{@link io.holdfast.jdbc.JdbcLockProvider} takes the URIs, and {@link
 * io.holdfast.jdbc.JdbcLocks} an application's {@code DataSource}. All other packages are internal.
 * {@code verbs} has the verbs, the same for every database; {@code connections} and {@code pools}
 * have the connections over which they run; {@code database} is what a kind of database must
 * provide, and {@code sqlite}, {@code postgres}, {@code mariadb} and {@code h2} each provide it.
 * Only this package knows all of them: it connects a URI or a data source with its database.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
