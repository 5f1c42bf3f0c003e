/**
 * What a store claims, on which level a rule is, and the facts that the kit reads from a store.
 * Depends on no other package of the kit.
 */
@NullMarked
package io.holdfast.tck.claim;

import org.jspecify.annotations.NullMarked;
