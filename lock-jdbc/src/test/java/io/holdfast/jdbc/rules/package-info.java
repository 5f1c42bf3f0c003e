/**
 * Rules that hold on more than one kind of database, and what only they need. A test class of such
 * a database implements those that are to run on it.
 */
@NullMarked
package io.holdfast.jdbc.rules;

import org.jspecify.annotations.NullMarked;
