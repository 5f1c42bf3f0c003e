/**
 * The results of a run: figures as JSON, tables as Markdown, charts as SVG. Depends on nothing that
 * measures.
 */
@NullMarked
package io.holdfast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
