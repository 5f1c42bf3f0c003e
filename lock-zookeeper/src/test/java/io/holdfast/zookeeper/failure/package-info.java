/** Ensembles whose servers are down or cut off, or that have lost what was stored. */
@NullMarked
package io.holdfast.zookeeper.failure;

import org.jspecify.annotations.NullMarked;
