/**
 * The list of the adapters in {@code lib/}, which is made once, so that a start need not look into
 * every jar for them. Depends on {@code io.holdfast.spi} alone. Internal.
 */
@NullMarked
package io.holdfast.cli.adapters;

import org.jspecify.annotations.NullMarked;
