/**
 * Rules about sessions: that they are opened, renewed, ended and resumed, that they lapse, and that
 * what ended sessions left is swept up. Depends on {@code fixture}; names rules of {@code queue}.
 */
@NullMarked
package io.holdfast.tck.rules.session;

import org.jspecify.annotations.NullMarked;
