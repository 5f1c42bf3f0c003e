/**
 * Connections to etcd: URIs, clients, the calls of one verb with their deadline, the parts of
 * transactions, and the meaning of etcd's errors; internal.
 *
 * <p>May use {@code format}, for ranges of keys.
 */
@NullMarked
package io.holdfast.etcd.connection;

import org.jspecify.annotations.NullMarked;
