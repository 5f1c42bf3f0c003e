/**
 * Internal. Hints where the database does not say who was handed what: a thread sees that something
 * has changed, and reads what that means for those who wait.
 */
@NullMarked
package io.holdfast.jdbc.hints;

import org.jspecify.annotations.NullMarked;
