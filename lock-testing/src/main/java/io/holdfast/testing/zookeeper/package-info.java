/**
 * Starts ZooKeeper: a server, and an ensemble. Depends on {@code io.holdfast.testing.server} and
 * the test kit.
 */
@NullMarked
package io.holdfast.testing.zookeeper;

import org.jspecify.annotations.NullMarked;
