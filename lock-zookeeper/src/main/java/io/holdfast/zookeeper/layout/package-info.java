/**
 * Internal: which nodes there are, and what their names and data mean. Depends on the calls and the
 * connections.
 */
@NullMarked
package io.holdfast.zookeeper.layout;

import org.jspecify.annotations.NullMarked;
