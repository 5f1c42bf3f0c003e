/**
 * Internal. Connections to a database: where they come from, the statements prepared on them, the
 * deadlines of calls, and how a connection is given back.
 *
 * <p>The lowest of the common packages: it depends on no other package of this adapter.
 */
@NullMarked
package io.holdfast.jdbc.connections;

import org.jspecify.annotations.NullMarked;
