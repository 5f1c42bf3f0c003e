/**
 * The stored format: the layout of keys, and the values of sessions, requests and the namespace;
 * internal. A change here is a change of the stored format.
 *
 * <p>Uses no other package of this adapter.
 */
@NullMarked
package io.holdfast.etcd.format;

import org.jspecify.annotations.NullMarked;
