package io.holdfast.benchmarks.report;

import java.util.List;

/**
 * What one part of a run found out, about one store or about all.
 *
 * @param title its heading
 * @param intro what is to be known to read it, in Markdown
 * @param figures everything that was measured, records of numbers and texts; written as JSON
 * @param tables what people look at
 * @param charts the same as pictures
 */
public record Section(
    String title, String intro, Object figures, List<Table> tables, List<BarChart> charts) {}
