/**
 * Internal. The verbs of the backend on the tables, on sessions for every database, and on locks
 * for those whose queue is a text: queues, reading and sweeping.
 *
 * <p>May depend on {@code connections} and {@code database}, never on a kind of database.
 */
@NullMarked
package io.holdfast.jdbc.verbs;

import org.jspecify.annotations.NullMarked;
