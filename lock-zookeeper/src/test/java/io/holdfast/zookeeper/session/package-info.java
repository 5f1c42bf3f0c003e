/** Tests of {@link io.holdfast.zookeeper.session}'s classes. */
@NullMarked
package io.holdfast.zookeeper.session;

import org.jspecify.annotations.NullMarked;
