/**
 * Internal. How the connections of a backend are shared among its calls: the HikariCP pools, the
 * single connection of a lock file, borrowing from an application, and the connections that are
 * kept for heartbeats.
 *
 * <p>May depend on {@code connections} alone.
 */
@NullMarked
package io.holdfast.jdbc.pools;

import org.jspecify.annotations.NullMarked;
