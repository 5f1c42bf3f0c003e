@NullMarked
package io.holdfast.testing.redis;

import org.jspecify.annotations.NullMarked;
