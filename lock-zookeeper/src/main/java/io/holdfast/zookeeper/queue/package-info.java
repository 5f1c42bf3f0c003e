/**
 * Internal: the queue of a lock, and the verbs that read and change it. Depends on the sessions,
 * the layout, the calls and the connections.
 */
@NullMarked
package io.holdfast.zookeeper.queue;

import org.jspecify.annotations.NullMarked;
