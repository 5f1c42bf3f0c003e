/**
 * Internal. A database in a file that the processes of one machine share: the operating system's
 * news of writes to it, which make waiters look.
 *
 * <p>May depend on {@code database}, never on one of these databases.
 */
@NullMarked
package io.holdfast.jdbc.file;

import org.jspecify.annotations.NullMarked;
