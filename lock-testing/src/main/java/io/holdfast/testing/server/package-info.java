/**
 * Shared by all starters of servers: the user that a server runs as, certificates, databases and
 * pairs of them. Depends on the test kit, on no other package of this module.
 */
@NullMarked
package io.holdfast.testing.server;

import org.jspecify.annotations.NullMarked;
