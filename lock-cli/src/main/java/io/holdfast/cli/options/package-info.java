/**
 * The options that subcommands of {@code holdfast} share, and how their values are read. Internal.
 */
@NullMarked
package io.holdfast.cli.options;

import org.jspecify.annotations.NullMarked;
