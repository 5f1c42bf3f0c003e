/**
 * Starts PostgreSQL, a pair of servers of which one takes the place of the other, and PgBouncer.
 * Depends on {@code io.holdfast.testing.server} and the test kit.
 */
@NullMarked
package io.holdfast.testing.postgres;

import org.jspecify.annotations.NullMarked;
