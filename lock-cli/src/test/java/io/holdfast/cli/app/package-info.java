/** An application of the tests' own, compiled once for all stores. May use the API alone. */
@NullMarked
package io.holdfast.cli.app;

import org.jspecify.annotations.NullMarked;
