/**
 * Real servers as child processes of a test: started on a free port with data of their own, killed,
 * stopped, started again, and gone with the test, whatever happens to it.
 */
@NullMarked
package io.holdfast.tck.server;

import org.jspecify.annotations.NullMarked;
