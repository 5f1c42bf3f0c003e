/**
 * The test kit that proves an adapter. {@link io.holdfast.tck.HoldfastTck} is what an adapter's
 * test tree extends; everything else is reached from there:
 *
 * <ul>
 *   <li>{@code store}: what the kit asks of the store under test.
 *   <li>{@code rules}: what the verbs have to do, one interface a topic, one test a rule.
 *   <li>{@code faults}: calls and answers that get lost, come late, come twice, or hang.
 *   <li>{@code network}: the same on the way to a real server.
 *   <li>{@code adapter}: what an adapter's other tests show on servers that they kill, stop and
 *       empty, one interface a topic.
 *   <li>{@code memory}: the reference backend, a store in this process.
 *   <li>{@code mutants}: broken stores, to show that the kit notices.
 * </ul>
 */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
