/**
 * The peers: other libraries' locks, and locks of the stores themselves, each configured as its
 * documentation recommends. May depend on {@code contender} and on what it measures.
 */
@NullMarked
package io.holdfast.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
