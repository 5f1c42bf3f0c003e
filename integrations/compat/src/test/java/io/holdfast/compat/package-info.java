/** The adapters and the test kit, with the libraries that applications bring. */
@NullMarked
package io.holdfast.compat;

import org.jspecify.annotations.NullMarked;
