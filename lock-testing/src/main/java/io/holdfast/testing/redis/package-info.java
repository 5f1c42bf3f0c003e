/**
 * Starts Redis: a server, a cluster, and Sentinel. Depends on {@code io.holdfast.testing.server}
 * and the test kit.
 */
@NullMarked
package io.holdfast.testing.redis;

import org.jspecify.annotations.NullMarked;
