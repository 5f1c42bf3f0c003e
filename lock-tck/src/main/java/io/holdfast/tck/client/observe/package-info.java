/** The views of users who look on: leaders and candidates, watches, sequencers and deadlocks. */
@NullMarked
package io.holdfast.tck.client.observe;

import org.jspecify.annotations.NullMarked;
