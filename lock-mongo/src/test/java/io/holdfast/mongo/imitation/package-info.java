/**
 * An imitation of a MongoDB server on which the tests run: {@code ClockedServer} is the server, and
 * {@code StrictProxy} stands before it and finds what a real server would refuse. {@code WireProxy}
 * injects errors, and {@code FakeChangeStreams} answers for the change streams that the imitation
 * does not have.
 */
@NullMarked
package io.holdfast.mongo.imitation;

import org.jspecify.annotations.NullMarked;
