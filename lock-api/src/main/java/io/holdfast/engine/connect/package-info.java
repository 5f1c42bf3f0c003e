/**
 * From a URI to an open backend: the providers on the class path, the one that takes the URI, and
 * the settings in it. Internal. Depends on {@code io.holdfast.spi}; knows nothing of sessions and
 * locks.
 */
@NullMarked
package io.holdfast.engine.connect;

import org.jspecify.annotations.NullMarked;
