/**
 * The settings and the floor of a namespace, and the check of its collections; internal.
 *
 * <p>Depends on the connections only.
 */
@NullMarked
package io.holdfast.mongo.namespace;

import org.jspecify.annotations.NullMarked;
