package io.holdfast.tck.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of a class that runs the kit what its stores, of which several are open at once, have in
 * common. Unless it says otherwise, they are namespaces of one server, and every control but {@link
 * StepControl} and {@link NetworkControl} does to all of them what it does to one. Stores that have
 * nothing in common are disturbed by nothing:
 *
 * <pre>{@code @SharedServer(disturbedBy = {})}</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface SharedServer {

  /** Returns the controls that do to all stores what they do to one. */
  Class<?>[] disturbedBy();
}
