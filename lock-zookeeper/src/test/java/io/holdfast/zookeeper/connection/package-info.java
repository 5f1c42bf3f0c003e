/** Tests of {@link io.holdfast.zookeeper.connection}'s classes. */
@NullMarked
package io.holdfast.zookeeper.connection;

import org.jspecify.annotations.NullMarked;
