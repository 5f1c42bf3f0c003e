/** Tests of locks in ZooKeeper, on servers that they start. */
@NullMarked
package io.holdfast.zookeeper;

import org.jspecify.annotations.NullMarked;
