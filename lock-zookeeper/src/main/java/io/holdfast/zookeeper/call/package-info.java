/**
 * Internal: how a verb calls the servers: requests are sent in pipelines, and their answers are
 * awaited until the verb's deadline. Depends on the connections only.
 */
@NullMarked
package io.holdfast.zookeeper.call;

import org.jspecify.annotations.NullMarked;
