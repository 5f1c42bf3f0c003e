/**
 * Internal: Holdfast sessions, and what this client remembers of their requests. Depends on the
 * layout, the calls and the connections.
 */
@NullMarked
package io.holdfast.zookeeper.session;

import org.jspecify.annotations.NullMarked;
