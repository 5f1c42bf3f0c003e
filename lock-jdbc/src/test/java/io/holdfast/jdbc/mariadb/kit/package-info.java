/** The kit and its stress on MariaDB. */
@NullMarked
package io.holdfast.jdbc.mariadb.kit;

import org.jspecify.annotations.NullMarked;
