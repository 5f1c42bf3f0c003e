/**
 * Child processes of a test: servers, and JVMs. A server has a free port and data of its own, can
 * be killed, stopped and started again, and ends with the test, even if that is killed. How a
 * server of a certain kind is started says the module of its adapter, or in this repository {@code
 * lock-testing}. Depends on no other package of the kit; {@link io.holdfast.tck.server.Tools} is
 * internal.
 */
@NullMarked
package io.holdfast.tck.server;

import org.jspecify.annotations.NullMarked;
