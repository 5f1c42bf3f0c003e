/**
 * Locks in etcd: {@code etcd://HOST:PORT,HOST:PORT}, or an application's own jetcd client with
 * {@link io.holdfast.etcd.EtcdLocks}.
 */
@NullMarked
package io.holdfast.etcd;

import org.jspecify.annotations.NullMarked;
