/** Programs that run on the class path of somebody's application, and not on that of a test. */
@NullMarked
package io.holdfast.compat.app;

import org.jspecify.annotations.NullMarked;
