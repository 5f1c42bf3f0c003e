package io.holdfast.zookeeper.queue;

import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.RequestCreation;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * A request whose node was created, in the name of a session that lives.
 *
 * @param written of a node that the same transaction has written to
 * @param listing the queue; empty if that has too many nodes to be read
 */
record Landed(
    RequestCreation made, Namespace namespace, Stat written, Optional<QueueListing> listing) {}
