/** Connections to PostgreSQL that are an application's, or go through a proxy that pools them. */
@NullMarked
package io.holdfast.jdbc.postgres.connections;

import org.jspecify.annotations.NullMarked;
