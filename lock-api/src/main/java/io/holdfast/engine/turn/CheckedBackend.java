package io.holdfast.engine.turn;

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
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An adapter whose answers are looked at before the engine relies on them. One that answers
 * nothing, or too little, fails the call: otherwise the caller would wait for ever.
 */
public final class CheckedBackend implements LockBackend {
  private final LockBackend adapter;

  // Asked once, while nothing is held: a client that closes must not fail for want of a name.
  private final String storeName;
  private final Capabilities capabilities;

  CheckedBackend(LockBackend adapter) {
    this.adapter = adapter;
    storeName = check("describe").there(adapter.describe());
    capabilities = check("capabilities").there(adapter.capabilities());
  }

  private AnswerCheck check(String verb) {
    return new AnswerCheck(adapter, verb);
  }

  /** Returns the adapter's way to resume sessions, if it has one. */
  public Optional<ResumableSessions> resumable() {
    return adapter instanceof ResumableSessions resumable
        ? Optional.of((session, deadline) -> resume(resumable, session, deadline))
        : Optional.empty();
  }

  private Optional<Resumed> resume(
      ResumableSessions resumable, SessionId session, Deadline deadline) {
    Optional<Resumed> resumed = check("resume").there(resumable.resume(session, deadline));
    resumed.ifPresent(check("resume")::resumed);
    return resumed;
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public String describe() {
    return storeName;
  }

  @Override
  public int partition(LockName name) {
    return adapter.partition(name);
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    return check("open").opened(adapter.open(spec, deadline));
  }

  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return check("renew").renewed(adapter.renew(session, deadline));
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return check("end").there(adapter.end(session, when, deadline));
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return check("grab").attempt(adapter.grab(request, deadline));
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return check("overtake").attempt(adapter.overtake(request, head, deadline));
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return check("release").there(adapter.release(name, request, deadline));
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    return check("releaseAfter").there(adapter.releaseAfter(key, stay, deadline));
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    return check("downgrade").number(adapter.downgrade(key, deadline));
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return check("look").standings(adapter.look(session, requests, deadline), requests.size());
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return check("revoke").there(adapter.revoke(head, when, deadline));
  }

  @Override
  public Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    return check("revokeIn").there(adapter.revokeIn(head, notice, deadline));
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    adapter.acknowledge(request, deadline);
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return check("inspect").there(adapter.inspect(name, deadline));
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, int waiters, Deadline deadline) {
    return check("inspect").there(adapter.inspect(name, waiters, deadline));
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(
      LockName name, RequestId after, int limit, Deadline deadline) {
    return check("waitersBehind").there(adapter.waitersBehind(name, after, limit, deadline));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    return check("list").allThere(adapter.list(prefix, after, limit, deadline));
  }

  @Override
  public int sweep(Deadline deadline) {
    return adapter.sweep(deadline);
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return check("listen").there(adapter.listen(session, listener, deadline));
  }

  @Override
  public Watching watch(LockName name, HintListener hints) {
    Watching watching = check("watch").there(adapter.watch(name, hints));
    return new Watching() {
      @Override
      public Sighting read(int waiters, Deadline deadline) {
        return check("a watch's read").there(watching.read(waiters, deadline));
      }

      @Override
      public void close() {
        watching.close();
      }
    };
  }

  @Override
  public void close() {
    adapter.close();
  }
}
