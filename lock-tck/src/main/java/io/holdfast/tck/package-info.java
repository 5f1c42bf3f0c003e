/** The test kit that proves an adapter: one class for each rule of the contract. */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
