/** Tests of {@link io.holdfast.zookeeper.call}'s classes. */
@NullMarked
package io.holdfast.zookeeper.call;

import org.jspecify.annotations.NullMarked;
