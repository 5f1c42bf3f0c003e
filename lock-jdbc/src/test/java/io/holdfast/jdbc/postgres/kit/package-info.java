/** The kit and its stress on PostgreSQL, and mutants of the statements that they must reject. */
@NullMarked
package io.holdfast.jdbc.postgres.kit;

import org.jspecify.annotations.NullMarked;
