package io.holdfast.tck.faults;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A backend whose every verb passes through {@link #intercept} on its way to another backend. As it
 * is, it changes nothing; override the hook to meddle with all verbs, or a verb to meddle with one.
 */
public class InterceptedBackend implements LockBackend {

  private static final Duration WITHOUT_DEADLINE = Duration.ofSeconds(30);

  private final LockBackend target;

  /** Wraps a backend and closes it with itself. */
  public InterceptedBackend(LockBackend target) {
    this.target = target;
  }

  /** Returns the backend behind this one. */
  protected final LockBackend target() {
    return target;
  }

  /**
   * Called instead of every verb; makes the call as often as it likes, and returns what the verb
   * shall answer, of the verb's own type.
   */
  protected Object intercept(Verb verb, Invocation call) {
    return call.proceed();
  }

  private Object through(
      Verb verb, Deadline deadline, Function<Deadline, Object> call, Object... arguments) {
    return intercept(verb, new Invocation(List.of(arguments), deadline, call));
  }

  @Override
  public Capabilities capabilities() {
    return target.capabilities();
  }

  @Override
  public String describe() {
    return target.describe();
  }

  @Override
  public int partition(LockName name) {
    return target.partition(name);
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    return (Opened) through(Verb.OPEN, deadline, until -> target.open(spec, until), spec);
  }

  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return (Renewed) through(Verb.RENEW, deadline, until -> target.renew(session, until), session);
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return (Ended)
        through(Verb.END, deadline, until -> target.end(session, when, until), session, when);
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return (Attempt) through(Verb.GRAB, deadline, until -> target.grab(request, until), request);
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return (Attempt)
        through(
            Verb.OVERTAKE, deadline, until -> target.overtake(request, head, until), request, head);
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return (Released)
        through(
            Verb.RELEASE, deadline, until -> target.release(name, request, until), name, request);
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    return (Released)
        through(
            Verb.RELEASE_AFTER,
            deadline,
            until -> target.releaseAfter(key, stay, until),
            key,
            stay);
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    return (OptionalLong)
        through(Verb.DOWNGRADE, deadline, until -> target.downgrade(key, until), key);
  }

  @Override
  @SuppressWarnings("unchecked") // The hook answers with the verb's own type.
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return (List<Standing>)
        through(
            Verb.LOOK, deadline, until -> target.look(session, requests, until), session, requests);
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return (Revocation)
        through(Verb.REVOKE, deadline, until -> target.revoke(head, when, until), head, when);
  }

  @Override
  public Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    return (Revocation)
        through(
            Verb.REVOKE_IN, deadline, until -> target.revokeIn(head, notice, until), head, notice);
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    through(
        Verb.ACKNOWLEDGE,
        deadline,
        until -> {
          target.acknowledge(request, until);
          return Invocation.DONE;
        },
        request);
  }

  @Override
  @SuppressWarnings("unchecked") // The hook answers with the verb's own type.
  public Optional<LockRecord> inspect(LockName name, int waiters, Deadline deadline) {
    return (Optional<LockRecord>)
        through(Verb.INSPECT, deadline, until -> target.inspect(name, waiters, until), name);
  }

  /** No part of the engine relies on it, so it has no hook. */
  @Override
  public Optional<List<Waiter>> waitersBehind(
      LockName name, RequestId after, int limit, Deadline deadline) {
    return target.waitersBehind(name, after, limit, deadline);
  }

  @Override
  @SuppressWarnings("unchecked") // The hook answers with the verb's own type.
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return (Optional<LockRecord>)
        through(Verb.INSPECT, deadline, until -> target.inspect(name, until), name);
  }

  @Override
  @SuppressWarnings("unchecked") // The hook answers with the verb's own type.
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    return (List<LockRecord>)
        through(
            Verb.LIST,
            deadline,
            until -> target.list(prefix, after, limit, until),
            prefix,
            after,
            limit);
  }

  @Override
  public int sweep(Deadline deadline) {
    return (int) through(Verb.SWEEP, deadline, target::sweep);
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return (AutoCloseable)
        through(
            Verb.LISTEN,
            deadline,
            until -> target.listen(session, listener, until),
            session,
            listener);
  }

  /** Makes no call itself, so the hook is for each read; its arguments are those given here. */
  @Override
  public Watching watch(LockName name, HintListener hints) {
    Watching watching = target.watch(name, hints);
    return new Watching() {
      @Override
      public Sighting read(int waiters, Deadline deadline) {
        return (Sighting)
            through(Verb.WATCH, deadline, until -> watching.read(waiters, until), name, hints);
      }

      @Override
      public void close() {
        watching.close();
      }
    };
  }

  @Override
  public void close() {
    through(
        Verb.CLOSE,
        Deadline.in(WITHOUT_DEADLINE),
        until -> {
          target.close();
          return Invocation.DONE;
        });
  }
}
