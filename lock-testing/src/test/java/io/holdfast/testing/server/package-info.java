@NullMarked
package io.holdfast.testing.server;

import org.jspecify.annotations.NullMarked;
