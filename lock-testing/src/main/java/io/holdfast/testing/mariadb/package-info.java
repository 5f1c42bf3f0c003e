/**
 * Starts MariaDB, and a pair of servers of which one takes the place of the other. Depends on
 * {@code io.holdfast.testing.server} and the test kit.
 */
@NullMarked
package io.holdfast.testing.mariadb;

import org.jspecify.annotations.NullMarked;
