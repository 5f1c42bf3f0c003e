/**
 * Which store the command uses, and the directories of lock files that it makes for itself. Depends
 * on {@link io.holdfast.cli.environment} and {@link io.holdfast.cli.output}. Internal.
 */
@NullMarked
package io.holdfast.cli.store;

import org.jspecify.annotations.NullMarked;
