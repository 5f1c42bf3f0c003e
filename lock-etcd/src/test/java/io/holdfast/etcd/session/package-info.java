/** Tests of {@link io.holdfast.etcd.session}'s classes. */
@NullMarked
package io.holdfast.etcd.session;

import org.jspecify.annotations.NullMarked;
