/** What is so in the source of every module that users get. */
@NullMarked
package io.holdfast.tck.source;

import org.jspecify.annotations.NullMarked;
