/** Tests of locks in etcd, on servers that they start. */
@NullMarked
package io.holdfast.etcd;

import org.jspecify.annotations.NullMarked;
