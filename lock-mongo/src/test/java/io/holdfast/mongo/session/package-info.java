/** Tests of {@link io.holdfast.mongo.session}'s classes. */
@NullMarked
package io.holdfast.mongo.session;

import org.jspecify.annotations.NullMarked;
