/** Tests of what {@link io.holdfast.etcd.format} stores. */
@NullMarked
package io.holdfast.etcd.format;

import org.jspecify.annotations.NullMarked;
