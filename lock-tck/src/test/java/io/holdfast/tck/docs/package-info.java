/** What the documents say of the tests. */
@NullMarked
package io.holdfast.tck.docs;

import org.jspecify.annotations.NullMarked;
