package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;
import static io.holdfast.redis.script.Arguments.flag;

import io.holdfast.LockName;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.support.Micros;
import java.time.Duration;
import java.util.OptionalLong;

/** The verbs that change who holds a lock or waits for it. */
final class LockVerbs {

  /** How many requests may wait for one lock if the client does not say. */
  static final int WAITERS_MAX = 4_000;

  private static final byte[] AT_ONCE = ascii("NOW");

  private final Namespace namespace;
  private final byte[] maxWaiters;
  private final boolean guarded;

  LockVerbs(Namespace namespace, BackendOptions options) {
    this.namespace = namespace;
    this.maxWaiters = ascii(options.maxWaiters().orElse(WAITERS_MAX));
    this.guarded = options.restartGuard() == RestartGuard.ON;
  }

  Attempt grab(Request request, Deadline deadline) {
    byte[] id = ascii(request.id());
    return attempt(
        request.name(),
        namespace.ask(
            Script.GRAB,
            namespace.partition(request.name()),
            deadline,
            request.name().bytes(),
            id,
            EntryText.of(request, id),
            flag(request.ifHeld() == IfHeld.QUEUE),
            maxWaiters,
            flag(guarded)));
  }

  Attempt overtake(Request request, Observed head, Deadline deadline) {
    byte[] id = ascii(request.id());
    return attempt(
        request.name(),
        namespace.ask(
            Script.OVERTAKE,
            namespace.partition(request.name()),
            deadline,
            request.name().bytes(),
            id,
            EntryText.of(request, id),
            ascii(head.number()),
            ascii(head.request()),
            flag(guarded)));
  }

  private Attempt attempt(LockName name, Reply reply) {
    return switch (reply.text(0)) {
      case "granted" ->
          new Attempt.Granted(
              reply.number(1), reply.instant(2), Contention.of((int) reply.number(3)));
      case "queued" -> new Attempt.Queued();
      case "delayed" ->
          new Attempt.Delayed(
              reply.duration(1),
              "%s may have lost its last grants with a restart or a fail-over, so it grants no lock until all earlier leases have run out. %s"
                  .formatted(namespace.describe(), Namespace.WITHOUT_GUARD));
      case "over" -> new Attempt.SessionOver();
      case "full" -> new Attempt.QueueFull("maxWaiters=" + Reply.text(maxWaiters));
      case "refused" -> refused(new RecordReply(reply.from(1)));
      default ->
          throw new IllegalStateException(
              "Unknown answer of a script about " + name + ": " + reply);
    };
  }

  private static Attempt.Refused refused(RecordReply reply) {
    return new Attempt.Refused(reply.record(), reply.firstDue());
  }

  Released release(LockName name, RequestId request, Deadline deadline) {
    return released(run(Script.RELEASE, name, deadline, name.bytes(), ascii(request)));
  }

  Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    return released(
        run(
            Script.RELEASE_AFTER,
            key.name(),
            deadline,
            key.name().bytes(),
            ascii(key.request()),
            ascii(Micros.exactly("The time to stay", stay))));
  }

  private static Released released(String answer) {
    return Released.valueOf(answer);
  }

  OptionalLong downgrade(RequestKey key, Deadline deadline) {
    String number =
        run(Script.DOWNGRADE, key.name(), deadline, key.name().bytes(), ascii(key.request()));
    return number.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(number));
  }

  private String run(Script script, LockName name, Deadline deadline, byte[]... arguments) {
    return Reply.text(
        namespace.run(script, CallKind.VERB, namespace.partition(name), deadline, arguments));
  }

  Revocation revokeAtOnce(Observed head, Deadline deadline) {
    return revoke(head, AT_ONCE, deadline);
  }

  /**
   * Revokes safely.
   *
   * @param notice how long the holder may still hold the lock
   */
  Revocation revoke(Observed head, Duration notice, Deadline deadline) {
    long micros = notice.isZero() ? 0 : Micros.exactly("The notice", notice);
    return revoke(head, ascii(micros), deadline);
  }

  private Revocation revoke(Observed head, byte[] notice, Deadline deadline) {
    Reply reply =
        namespace.ask(
            Script.REVOKE,
            namespace.partition(head.name()),
            deadline,
            head.name().bytes(),
            ascii(head.number()),
            ascii(head.request()),
            notice,
            flag(guarded));
    return switch (reply.text(0)) {
      case "marked" -> new Revocation.Marked(reply.duration(1));
      case "freed" -> new Revocation.Freed();
      default -> new Revocation.Changed();
    };
  }
}
