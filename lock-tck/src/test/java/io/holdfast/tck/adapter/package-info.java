/** Tests of the rules that adapters' tests share. */
@NullMarked
package io.holdfast.tck.adapter;

import org.jspecify.annotations.NullMarked;
