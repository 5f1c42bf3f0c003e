package io.holdfast.tck.faults;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;

/** A fault of a call. */
@FunctionalInterface
public interface Fault {

  /** Answers instead of the store, which the call may reach or not. */
  Object meet(Invocation call);

  /** The store does it; the answer is lost. */
  static Fault answerLost() {
    return call -> {
      Object lost = call.proceed();
      throw new BackendFailure(Effect.UNKNOWN, "Injected: lost the answer " + lost, null);
    };
  }

  /** The call is lost on its way, and no client can tell. */
  static Fault callLost() {
    return call -> {
      throw new BackendFailure(Effect.UNKNOWN, "Injected: lost the call.", null);
    };
  }

  /** The call certainly did not reach the store. */
  static Fault refused() {
    return call -> {
      throw new BackendFailure(Effect.NONE, "Injected: refused the call.", null);
    };
  }

  /** The store does it, and then refuses for good what the verb asks besides. */
  static Fault refusedHalfway() {
    return call -> {
      Object done = call.proceed();
      throw BackendFailure.halfway(
          new BackendUnusableException("Injected: refused for good after " + done));
    };
  }

  /** The store is asked twice, and the second answer counts. */
  static Fault doubled() {
    return call -> {
      call.proceed();
      return call.proceed();
    };
  }
}
