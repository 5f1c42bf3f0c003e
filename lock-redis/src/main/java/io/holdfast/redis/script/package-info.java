/**
 * The Lua scripts that the verbs run, their arguments and their replies; internal. The scripts lie
 * as files beside this package. {@code layout.lua} defines the stored format and is part of each
 * script.
 *
 * <p>Uses no other package of this adapter.
 */
@NullMarked
package io.holdfast.redis.script;

import org.jspecify.annotations.NullMarked;
