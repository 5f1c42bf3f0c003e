/**
 * Internal: connections to the servers. Each carries one ZooKeeper session. Depends on no other
 * package of this adapter.
 */
@NullMarked
package io.holdfast.zookeeper.connection;

import org.jspecify.annotations.NullMarked;
