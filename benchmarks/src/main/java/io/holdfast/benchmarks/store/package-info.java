/**
 * The stores that are measured: how each is started, and the contenders on it. May depend on
 * everything but the reports.
 */
@NullMarked
package io.holdfast.benchmarks.store;

import org.jspecify.annotations.NullMarked;
