/**
 * Guards what a store keeps. A test that extends {@link io.holdfast.tck.format.StoredFormatTck}
 * compares the records that an adapter writes with a golden file for each protocol version, and has
 * the adapter read the records of every golden file. Depends on the SPI and on JUnit, and on no
 * other package of the kit.
 */
@NullMarked
package io.holdfast.tck.format;

import org.jspecify.annotations.NullMarked;
