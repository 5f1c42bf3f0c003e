/**
 * Connections to MariaDB: those of an application, as it has set them or led elsewhere, and what is
 * prepared on them.
 */
@NullMarked
package io.holdfast.jdbc.mariadb.connections;

import org.jspecify.annotations.NullMarked;
