/** The kit on etcd: on one server, on a cluster, and over a client of the application. */
@NullMarked
package io.holdfast.etcd.kit;

import org.jspecify.annotations.NullMarked;
