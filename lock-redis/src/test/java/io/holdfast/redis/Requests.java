package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;

import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Sessions and requests of tests. */
public final class Requests {

  /** As long as a namespace allows: these sessions are not renewed, and machines are slow. */
  private static final Duration TTL = NamespaceSettings.MAX_TTL_DEFAULT;

  private static final ProcessIdentity PROCESS = new ProcessIdentity("host:4711");
  private static final AtomicLong SERIALS = new AtomicLong();

  private Requests() {}

  public static SessionId session(LockBackend backend) {
    return session(backend, 0);
  }

  public static SessionId session(LockBackend backend, int partition) {
    SessionId id = SessionId.fresh();
    backend.open(new SessionSpec(id, TTL, partition, PROCESS), soon());
    return id;
  }

  /** Makes a request that was never made before. */
  public static Request request(SessionId session, String name, IfHeld ifHeld) {
    return Request.of(
            new LockName(name), new RequestId(session, SERIALS.incrementAndGet()), PROCESS)
        .with(ifHeld)
        .why("why not")
        .with(Payload.ofText("here"));
  }

  /** Takes a lock that is free. */
  public static Attempt.Granted take(LockBackend backend, Request request) {
    return (Attempt.Granted) backend.grab(request, soon());
  }

  public static Observed observed(Request request, long number) {
    return new Observed(request.name(), number, request.id());
  }
}
