/**
 * What the kit says of an adapter in the end: which rules it was tried by, under their ids, and how
 * each ended.
 */
@NullMarked
package io.holdfast.tck.report;

import org.jspecify.annotations.NullMarked;
