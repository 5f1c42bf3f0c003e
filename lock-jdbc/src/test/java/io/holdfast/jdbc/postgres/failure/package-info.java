/**
 * PostgreSQL that fails, restarts, is promoted or restored, or cannot be reached, and rows that
 * somebody else locks.
 */
@NullMarked
package io.holdfast.jdbc.postgres.failure;

import org.jspecify.annotations.NullMarked;
