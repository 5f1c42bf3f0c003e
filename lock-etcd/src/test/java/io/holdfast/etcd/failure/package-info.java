/**
 * Members that are down or cut off, a server that is full, and a cluster that has lost what it
 * stored.
 */
@NullMarked
package io.holdfast.etcd.failure;

import org.jspecify.annotations.NullMarked;
