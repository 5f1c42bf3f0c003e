/**
 * The results of a run and how they are written: {@code report.md} and {@code report.json}.
 * Internal. Depends on {@code claim}.
 */
@NullMarked
package io.holdfast.tck.report.output;

import org.jspecify.annotations.NullMarked;
