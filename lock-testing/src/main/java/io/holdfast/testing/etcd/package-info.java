/**
 * Starts etcd: a server, and a cluster whose members reach each other over a network that can be
 * cut. Depends on {@code io.holdfast.testing.server} and the test kit.
 */
@NullMarked
package io.holdfast.testing.etcd;

import org.jspecify.annotations.NullMarked;
