/**
 * When a test begins. It depends on JUnit alone, and is applied to every test of the modules that
 * have this one on their class path.
 */
@NullMarked
package io.holdfast.testing.pace;

import org.jspecify.annotations.NullMarked;
