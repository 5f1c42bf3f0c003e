/**
 * The answers of an adapter to each verb of {@link io.holdfast.spi.LockBackend}: values, and sealed
 * interfaces where there is more than one outcome. Knows no store and no engine.
 */
@NullMarked
package io.holdfast.spi.answer;

import org.jspecify.annotations.NullMarked;
