/** MariaDB that fails, is restored or cannot be reached, and rows that somebody else locks. */
@NullMarked
package io.holdfast.jdbc.mariadb.failure;

import org.jspecify.annotations.NullMarked;
