/**
 * The kit's final report of an adapter: which rules it was tried by, under their ids, and how each
 * ended. Here are the annotations of rules and of test classes, the exceptions by which a rule says
 * that it is not proved or does not apply, and the recorder of results. Depends on {@code claim}
 * and {@code report.output}.
 */
@NullMarked
package io.holdfast.tck.report;

import org.jspecify.annotations.NullMarked;
