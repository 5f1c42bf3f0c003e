/**
 * Internal. SQLite: one lock file that the processes of a machine share.
 *
 * <p>May depend on the common packages {@code connections}, {@code pools} and {@code database}, not
 * on another kind of database.
 */
@NullMarked
package io.holdfast.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
