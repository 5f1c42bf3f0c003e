/**
 * Rules about the verbs that requests for one lock go through: grab, wait in the queue, overtake,
 * look, release, revoke. Depends on {@code fixture}.
 */
@NullMarked
package io.holdfast.tck.rules.queue;

import org.jspecify.annotations.NullMarked;
