/** Keeping a command running where this process is elected. Knows no command line. Internal. */
@NullMarked
package io.holdfast.cli.elect;

import org.jspecify.annotations.NullMarked;
