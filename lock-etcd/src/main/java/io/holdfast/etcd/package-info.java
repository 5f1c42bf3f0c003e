/**
 * The adapter that keeps locks in etcd.
 *
 * <p>Applications use {@link io.holdfast.etcd.EtcdLockProvider} through a URI, {@link
 * io.holdfast.etcd.EtcdLocks} with a jetcd client of their own, and {@link
 * io.holdfast.etcd.EtcdFencing} in their own transactions. {@code EtcdLockBackend} hands each verb
 * to the package that implements it.
 *
 * <p>The packages below this one are internal, each may use those after it: {@code queue}, {@code
 * session}, {@code connection}, {@code format}. This package may use all of them.
 */
@NullMarked
package io.holdfast.etcd;

import org.jspecify.annotations.NullMarked;
