/**
 * Internal. The verbs of the backend on the tables, the same for every database: sessions, queues,
 * reading and sweeping.
 *
 * <p>May depend on {@code connections} and {@code database}, never on a kind of database.
 */
@NullMarked
package io.holdfast.jdbc.verbs;

import org.jspecify.annotations.NullMarked;
