/**
 * Locks in ZooKeeper: {@code zookeeper://HOST:PORT,HOST:PORT}, or an application's own
 * CuratorFramework with {@link io.holdfast.zookeeper.ZookeeperLocks}.
 */
@NullMarked
package io.holdfast.zookeeper;

import org.jspecify.annotations.NullMarked;
