package io.holdfast.tck.faults;

import io.holdfast.spi.LockBackend;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * A backend to which a test adds faults while it is in use. Thread-safe. A call meets the first
 * fault that is meant for it, and no second one.
 */
public final class FaultyBackend extends InterceptedBackend {

  private record Planned(
      Verb verb, Predicate<Invocation> which, Fault fault, boolean once, AtomicBoolean met) {

    boolean takes(Verb called, Invocation call) {
      return verb == called && which.test(call) && (!once || met.compareAndSet(false, true));
    }
  }

  private final CopyOnWriteArrayList<Planned> plan = new CopyOnWriteArrayList<>();

  /** Wraps a backend, without faults at first. */
  public FaultyBackend(LockBackend target) {
    super(target);
  }

  /** The next call of the verb that no earlier fault is meant for meets this one. */
  public <F extends Fault> F next(Verb verb, F fault) {
    return next(verb, call -> true, fault);
  }

  /** The next such call of the verb meets the fault. */
  public <F extends Fault> F next(Verb verb, Predicate<Invocation> which, F fault) {
    plan.add(new Planned(verb, which, fault, true, new AtomicBoolean()));
    return fault;
  }

  /** Every such call of the verb meets the fault, until {@link #heal}. */
  public <F extends Fault> F every(Verb verb, Predicate<Invocation> which, F fault) {
    plan.add(new Planned(verb, which, fault, false, new AtomicBoolean()));
    return fault;
  }

  /** Every call of every verb meets the fault, until {@link #heal}. */
  public <F extends Fault> F always(F fault) {
    for (Verb verb : Verb.values()) {
      if (verb != Verb.CLOSE) {
        every(verb, call -> true, fault);
      }
    }
    return fault;
  }

  /** Takes all faults away that were not met yet. Calls that hang go on hanging. */
  public void heal() {
    plan.clear();
  }

  @Override
  protected Object intercept(Verb verb, Invocation call) {
    for (Planned planned : plan) {
      if (planned.takes(verb, call)) {
        return planned.fault().meet(call);
      }
    }
    return call.proceed();
  }
}
