/**
 * Internal. PostgreSQL: how it is reached, tables, errors, and hints by LISTEN and NOTIFY.
 *
 * <p>May depend on the common packages {@code connections}, {@code pools} and {@code database}, not
 * on another kind of database.
 */
@NullMarked
package io.holdfast.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
