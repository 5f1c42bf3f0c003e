@NullMarked
package io.holdfast.testing.postgres;

import org.jspecify.annotations.NullMarked;
