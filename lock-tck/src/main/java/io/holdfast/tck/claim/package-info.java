/**
 * The claims of a store, the levels of rules, and the facts that the kit reads from a store.
 * Depends on no other package of the kit.
 */
@NullMarked
package io.holdfast.tck.claim;

import org.jspecify.annotations.NullMarked;
