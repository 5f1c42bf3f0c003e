package io.holdfast.tck.faults;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Observed;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A call of a verb that has not reached the store yet. May be made several times, or never. */
public final class Invocation {

  /** The answer of a verb without a result here. */
  public static final Object DONE = "done";

  private final List<Object> arguments;
  private final Deadline deadline;
  private final Function<Deadline, Object> target;

  Invocation(List<Object> arguments, Deadline deadline, Function<Deadline, Object> target) {
    this.arguments = arguments;
    this.deadline = deadline;
    this.target = target;
  }

  /** Returns the arguments without the deadline. */
  public List<Object> arguments() {
    return arguments;
  }

  /** Returns the caller's deadline. */
  public Deadline deadline() {
    return deadline;
  }

  /** Makes the call and returns its answer. */
  public Object proceed() {
    return proceed(deadline);
  }

  /** Makes the call with another deadline. */
  public Object proceed(Deadline other) {
    return target.apply(other);
  }

  /** Returns the session on whose behalf the call is made, if it is for one. */
  public Optional<SessionId> session() {
    return arguments.stream().flatMap(argument -> sessionOf(argument).stream()).findFirst();
  }

  /** Returns the lock that the call is about, if it is about one. */
  public Optional<LockName> lock() {
    return arguments.stream().flatMap(argument -> lockOf(argument).stream()).findFirst();
  }

  private static Optional<SessionId> sessionOf(Object argument) {
    if (argument instanceof SessionId session) {
      return Optional.of(session);
    } else if (argument instanceof SessionSpec spec) {
      return Optional.of(spec.id());
    } else if (argument instanceof Request request) {
      return Optional.of(request.id().session());
    } else if (argument instanceof RequestId request) {
      return Optional.of(request.session());
    }
    return Optional.empty();
  }

  private static Optional<LockName> lockOf(Object argument) {
    if (argument instanceof LockName name) {
      return Optional.of(name);
    } else if (argument instanceof Request request) {
      return Optional.of(request.name());
    } else if (argument instanceof Observed observed) {
      return Optional.of(observed.name());
    } else if (argument instanceof List<?> keys
        && keys.size() == 1
        && keys.get(0) instanceof RequestKey key) {
      return Optional.of(key.name());
    }
    return Optional.empty();
  }
}
