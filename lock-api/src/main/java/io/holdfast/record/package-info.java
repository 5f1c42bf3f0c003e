/**
 * A store's record of a lock, as operators and observers see it: who holds it, who waits, how long
 * it stays taken; and how holders are revoked and old layouts retired.
 */
@NullMarked
package io.holdfast.record;

import org.jspecify.annotations.NullMarked;
