/**
 * Threads, processes and faults that meet by chance, judged from outside by what each client
 * believes.
 */
@NullMarked
package io.holdfast.memory.simulation;

import org.jspecify.annotations.NullMarked;
