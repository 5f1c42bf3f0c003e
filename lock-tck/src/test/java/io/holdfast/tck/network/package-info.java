/** The network that fails as it should. */
@NullMarked
package io.holdfast.tck.network;

import org.jspecify.annotations.NullMarked;
