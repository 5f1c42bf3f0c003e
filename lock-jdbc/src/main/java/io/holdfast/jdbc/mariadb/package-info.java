/**
 * Internal. MariaDB and MySQL: statements, tables, errors, and which incarnation of a server this
 * is.
 *
 * <p>May depend on the common packages {@code connections}, {@code pools} and {@code database}, not
 * on another kind of database.
 */
@NullMarked
package io.holdfast.jdbc.mariadb;

import org.jspecify.annotations.NullMarked;
