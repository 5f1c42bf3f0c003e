/**
 * Internal. The parts that one kind of database provides: its statements ({@code Dialect}), how
 * their results are read, its tables, and whether it still is the same database. A new kind of
 * database extends the classes of this package in a package of its own, as {@code sqlite}, {@code
 * postgres}, {@code mariadb} and {@code h2} do.
 *
 * <p>May depend on {@code connections} and {@code pools}, never on one of these databases.
 */
@NullMarked
package io.holdfast.jdbc.database;

import org.jspecify.annotations.NullMarked;
