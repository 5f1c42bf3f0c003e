/**
 * The exceptions of this library, each a failure that a caller may want to tell from the others,
 * and the reasons for which a grant is lost. Depends on nothing else of the library.
 */
@NullMarked
package io.holdfast.error;

import org.jspecify.annotations.NullMarked;
