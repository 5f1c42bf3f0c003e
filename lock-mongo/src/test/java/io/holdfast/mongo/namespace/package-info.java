/** Tests of {@link io.holdfast.mongo.namespace}'s classes. */
@NullMarked
package io.holdfast.mongo.namespace;

import org.jspecify.annotations.NullMarked;
