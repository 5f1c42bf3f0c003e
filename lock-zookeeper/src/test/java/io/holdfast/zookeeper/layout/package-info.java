/** Tests of {@link io.holdfast.zookeeper.layout}'s classes. */
@NullMarked
package io.holdfast.zookeeper.layout;

import org.jspecify.annotations.NullMarked;
