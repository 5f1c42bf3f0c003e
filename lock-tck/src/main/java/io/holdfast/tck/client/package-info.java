/**
 * The rules that users see, shown through {@link io.holdfast.LockClient} with real threads, real
 * time, and faults between the client and the store under test. {@link
 * io.holdfast.tck.client.ClientRules} is all of them.
 */
@NullMarked
package io.holdfast.tck.client;

import org.jspecify.annotations.NullMarked;
