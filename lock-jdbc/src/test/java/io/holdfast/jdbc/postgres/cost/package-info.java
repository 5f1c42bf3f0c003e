/** What steps on a lock cost PostgreSQL, where few or many requests wait or share it. */
@NullMarked
package io.holdfast.jdbc.postgres.cost;

import org.jspecify.annotations.NullMarked;
