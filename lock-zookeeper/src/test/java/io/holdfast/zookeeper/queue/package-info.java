/** Tests of {@link io.holdfast.zookeeper.queue}'s classes. */
@NullMarked
package io.holdfast.zookeeper.queue;

import org.jspecify.annotations.NullMarked;
