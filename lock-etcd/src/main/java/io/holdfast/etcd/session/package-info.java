/**
 * Sessions and the namespace that they are opened in; internal.
 *
 * <p>May use {@code connection} and {@code format}, but not the queues.
 */
@NullMarked
package io.holdfast.etcd.session;

import org.jspecify.annotations.NullMarked;
