/**
 * Internal. H2: statements, tables and errors of a file, a server or a database in memory.
 *
 * <p>May depend on the common packages {@code connections}, {@code pools} and {@code database}, not
 * on another kind of database.
 */
@NullMarked
package io.holdfast.jdbc.h2;

import org.jspecify.annotations.NullMarked;
