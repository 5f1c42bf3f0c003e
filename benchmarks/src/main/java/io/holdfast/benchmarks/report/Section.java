package io.holdfast.benchmarks.report;

import java.util.List;

/**
 * The findings of one part of a run, about one store or about all.
 *
 * @param title its heading
 * @param intro the text that helps to read it, in Markdown
 * @param figures everything that was measured, records of numbers and texts; written as JSON
 * @param tables the figures for people
 * @param charts the same as pictures
 */
public record Section(
    String title, String intro, Object figures, List<Table> tables, List<BarChart> charts) {}
