/**
 * Sessions; internal. {@code Sessions} has the verbs, {@code Notices} what a session is told with
 * its renewals, {@code SessionCommands} the commands that they send, and {@code SessionDocument}
 * what the server stores. {@code OwnSessions} is what this client remembers of its own.
 *
 * <p>Depends on the namespace, the clock and the connections.
 */
@NullMarked
package io.holdfast.mongo.session;

import org.jspecify.annotations.NullMarked;
