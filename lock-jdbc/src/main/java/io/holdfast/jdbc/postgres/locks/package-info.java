/**
 * Internal. Locks in PostgreSQL: the statements on their records and queues, and the verbs that
 * execute them.
 *
 * <p>May depend on the common packages {@code connections} and {@code database}. Does not know how
 * PostgreSQL is reached, nor how the tables are made.
 */
@NullMarked
package io.holdfast.jdbc.postgres.locks;

import org.jspecify.annotations.NullMarked;
