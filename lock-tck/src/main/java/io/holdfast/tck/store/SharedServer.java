package io.holdfast.tck.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which controls affect all stores of a class that runs the kit; several of its stores are
 * open at once. By default the stores are namespaces of one server, and a control of its clock, of
 * restarts, of fail-overs or of the quorum affects all of them. For stores that share nothing, no
 * control does:
 *
 * <pre>{@code @SharedServer(disturbedBy = {})}</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface SharedServer {

  /** Returns the controls that affect all stores, not only the one that they are used on. */
  Class<?>[] disturbedBy();
}
