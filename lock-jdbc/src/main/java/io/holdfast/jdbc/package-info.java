/** The adapter that keeps locks in an SQL database, over JDBC. */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
