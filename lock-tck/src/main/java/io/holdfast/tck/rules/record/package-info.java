/**
 * Rules about what a store keeps: names, records, namespaces, fencing tokens, and the capabilities
 * that it claims. Depends on {@code fixture} and on the sweep of {@code session}.
 */
@NullMarked
package io.holdfast.tck.rules.record;

import org.jspecify.annotations.NullMarked;
