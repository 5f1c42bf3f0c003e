package io.holdfast.tck.format;

import static io.holdfast.tck.format.Steps.TTL;
import static io.holdfast.tck.format.Steps.request;
import static io.holdfast.tck.format.Steps.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The same locks in every golden file: one with a holder and two waiters, one whose holder was
 * revoked, some whose names a careless store would confuse, and one that is free.
 */
final class Scenario {

  static final Duration MAX_TTL = Duration.ofSeconds(90);
  static final Duration MAX_STEP = Duration.ofMillis(1_500);

  /** Without a restart guard, which a server that was just started may have. */
  static final BackendOptions OPTIONS =
      new BackendOptions(
          new NamespaceWish(OptionalInt.empty(), Optional.of(MAX_TTL), Optional.of(MAX_STEP)),
          RestartGuard.OFF);

  /** Those of the namespace, without a restart guard. */
  static final BackendOptions ANY_SETTINGS =
      new BackendOptions(NamespaceWish.NONE, RestartGuard.OFF);

  private static final SessionId HOLDER = new SessionId("0123456789abcdef0123456789abcdef");
  private static final SessionId FIRST = new SessionId("fedcba9876543210fedcba9876543210");
  private static final SessionId SECOND = new SessionId("00000000000000000000000000000001");

  private static final LockName QUEUED = new LockName("orders/42");
  private static final LockName REVOKED =
      new LockName("\u00c9~%7e {a}:b*?[x]!,;'\"\\ \ud83d\udd12\u00a0.");
  private static final LockName FREE = new LockName("free");

  /** Two that differ by a space, two by case, and two that are one after normalisation. */
  private static final List<LockName> ALIKE =
      Stream.of("a", "a ", "A", "\u00e9", "e\u0301").map(LockName::new).toList();

  private static final byte[] BYTES = {0, '\n', '\r', ' ', '!', ',', ';', '\\', 0x7f, -128, -1};

  private final LockBackend backend;
  private final Steps steps;

  Scenario(LockBackend backend) {
    this.backend = backend;
    this.steps = new Steps(backend);
  }

  private static Request holding() {
    Request request = request(QUEUED, HOLDER, 1, "h\u00f6st:1 !,;");
    return request.with(QUEUED).why("holds: \u00e9!,;\n\"'\\ ").with(Payload.of(BYTES));
  }

  private static Request waitingFirst() {
    Request request = request(QUEUED, FIRST, 11, "host:2");
    return request.with(QUEUED).why("waits").with(Payload.ofText("10.0.0.2:8080"));
  }

  private static Request waitingSecond() {
    return request(QUEUED, SECOND, 1, "host:3");
  }

  private static Request revoked() {
    return request(REVOKED, HOLDER, 2, "host:1");
  }

  private static List<Request> alike() {
    return IntStream.range(0, ALIKE.size())
        .mapToObj(i -> request(ALIKE.get(i), HOLDER, 3 + i, "host:1"))
        .toList();
  }

  private static Request freed() {
    return request(FREE, HOLDER, Integer.MAX_VALUE, "host:1");
  }

  /** Returns the sessions of the state. */
  static List<SessionId> sessions() {
    return List.of(HOLDER, FIRST, SECOND);
  }

  /** Returns the locks of the state. */
  static List<LockName> names() {
    return Stream.concat(Stream.of(QUEUED, REVOKED, FREE), ALIKE.stream()).toList();
  }

  /** Checks that each lock is free and gets a number above all that were given before. */
  NamespaceSettings requireGreaterNumbers(long than) {
    SessionId session = SessionId.fresh();
    NamespaceSettings settings = steps.open(session, "host:5");
    int serial = 1;
    for (LockName name : names()) {
      assertThat(steps.granted(request(name, session, serial++, "host:5")))
          .as("the number of the next grant of %s", name)
          .isGreaterThan(than);
    }
    return settings;
  }

  /** Brings an empty namespace into the state. */
  void write() {
    steps.open(HOLDER, "h\u00f6st:1 !,;");
    steps.open(FIRST, "host:2");
    steps.open(SECOND, "host:3");
    steps.granted(holding());
    steps.queued(waitingFirst());
    steps.queued(waitingSecond());
    long number = steps.granted(revoked());
    alike().forEach(steps::granted);
    steps.granted(freed());
    assertThat(backend.release(FREE, freed().id(), soon())).isEqualTo(Released.FREED);
    assertThat(
            backend.revoke(
                new Observed(REVOKED, number, revoked().id()), RevokeWhen.SAFELY, soon()))
        .isInstanceOf(Revocation.Marked.class);
  }

  /** Opens a session that is not in the state. */
  void openAnother() {
    steps.open(SessionId.fresh(), "host:4");
  }

  /**
   * Checks that the adapter understands the state, and then takes it apart.
   *
   * @param numbers the numbers of the locks, read past the adapter
   */
  void read(ToLongFunction<LockName> numbers) {
    requireSettings();
    requireRecords(numbers);
    requireSessions();
    requireRequests(numbers);
    requireHandOver();
    requireEnds(numbers);
  }

  private void requireSettings() {
    NamespaceSettings settings = steps.open(SessionId.fresh(), "host:4");
    assertThat(settings.partitions()).isEqualTo(1);
    assertThat(settings.maxTtl()).isEqualTo(Duration.ofSeconds(90));
    assertThat(settings.maxClockStep()).isEqualTo(Duration.ofMillis(1_500));
    assertThatThrownBy(
            () ->
                backend.open(
                    new SessionSpec(
                        SessionId.fresh(),
                        Duration.ofSeconds(91),
                        0,
                        new ProcessIdentity("host:4")),
                    soon()))
        .isInstanceOf(BadRequestException.class);
  }

  private void requireRecords(ToLongFunction<LockName> numbers) {
    requireRecord(holding(), numbers, List.of(waiter(waitingFirst()), waiter(waitingSecond())));
    requireRecord(revoked(), numbers, List.of());
    alike().forEach(request -> requireRecord(request, numbers, List.of()));
    assertThat(backend.inspect(FREE, soon()).flatMap(LockRecord::holder)).isEmpty();
    assertThat(backend.list("", Optional.empty(), 100, soon()))
        .extracting(LockRecord::name)
        .isEqualTo(Stream.concat(Stream.of(QUEUED, REVOKED), ALIKE.stream()).sorted().toList());
  }

  private void requireRecord(
      Request request, ToLongFunction<LockName> numbers, List<Waiter> waiters) {
    LockRecord record = backend.inspect(request.name(), soon()).orElseThrow();
    assertThat(record.name()).isEqualTo(request.name());
    assertThat(record.number()).isEqualTo(numbers.applyAsLong(request.name()));
    assertThat(record.waiters()).isEqualTo(waiters);
    Holder holder = record.holder().orElseThrow();
    assertThat(holder)
        .isEqualTo(
            new Holder(
                request.id(),
                request.mode(),
                request.process(),
                request.why(),
                request.payload(),
                holder.since(),
                Liveness.LIVE,
                holder.revokedAt(),
                holder.stay(),
                holder.countsFor(),
                holder.ownNumber()));
    assertThat(record.numberOf(holder)).isEqualTo(record.number());
    assertThat(holder.revokedAt().isPresent()).isEqualTo(request.name().equals(REVOKED));
  }

  private static Waiter waiter(Request request) {
    return new Waiter(request.id(), request.mode(), request.process(), request.why());
  }

  private void requireSessions() {
    Renewed.Alive holder = (Renewed.Alive) backend.renew(HOLDER, soon());
    assertThat(holder.ttl()).isEqualTo(TTL);
    assertThat(holder.notices()).containsExactly(new Notice.Revoked(revoked().id()));
    Renewed.Alive first = (Renewed.Alive) backend.renew(FIRST, soon());
    assertThat(first.notices()).isEmpty();
    backend.acknowledge(revoked().id(), soon());
    assertThat(((Renewed.Alive) backend.renew(HOLDER, soon())).notices()).isEmpty();
  }

  private void requireRequests(ToLongFunction<LockName> numbers) {
    Stream.concat(Stream.of(holding(), revoked()), alike().stream())
        .forEach(
            request -> {
              long number = numbers.applyAsLong(request.name());
              assertThat(steps.holding(request).number()).isEqualTo(number);
              assertThat(steps.granted(request)).isEqualTo(number);
            });
    requireAhead(waitingFirst(), 1);
    requireAhead(waitingSecond(), 2);
    for (Request request : Arrays.asList(waitingFirst(), waitingSecond())) {
      steps.queued(request);
    }
    // By its number no request is the beginning of another.
    Request other = request(QUEUED, FIRST, 1, "host:2");
    assertThat(steps.standing(other)).isEqualTo(new Standing.Absent());
    assertThat(backend.release(QUEUED, other.id(), soon())).isEqualTo(Released.NOTHING);
  }

  private void requireAhead(Request request, int ahead) {
    Standing.Waiting standing = steps.waiting(request);
    assertThat(standing.ahead()).isEqualTo(ahead);
    assertThat(standing.obstacles()).isEmpty();
  }

  private void requireHandOver() {
    long before = steps.holding(holding()).number();
    assertThat(backend.release(QUEUED, waitingFirst().id(), soon()))
        .isEqualTo(Released.WAS_WAITING);
    requireAhead(waitingSecond(), 1);
    steps.queued(waitingFirst());
    assertThat(backend.release(QUEUED, holding().id(), soon())).isEqualTo(Released.HANDED_ON);
    assertThat(steps.standing(holding())).isEqualTo(new Standing.Absent());
    long second = steps.holding(waitingSecond()).number();
    assertThat(second).isGreaterThan(before);
    assertThat(backend.inspect(QUEUED, soon()).orElseThrow().waiters())
        .containsExactly(waiter(waitingFirst()));
    assertThat(backend.release(QUEUED, waitingSecond().id(), soon())).isEqualTo(Released.HANDED_ON);
    assertThat(steps.holding(waitingFirst()).number()).isGreaterThan(second);
    assertThat(backend.release(QUEUED, waitingFirst().id(), soon())).isEqualTo(Released.FREED);
  }

  private void requireEnds(ToLongFunction<LockName> numbers) {
    // In a store that counts no free records, the number before is 0.
    long before = numbers.applyAsLong(FREE);
    assertThat(steps.granted(request(FREE, FIRST, 12, "host:2"))).isGreaterThan(before);
    assertThat(backend.release(REVOKED, revoked().id(), soon())).isEqualTo(Released.FREED);
    for (Request request : alike()) {
      assertThat(backend.release(request.name(), request.id(), soon())).isEqualTo(Released.FREED);
    }
    assertThat(backend.end(HOLDER, EndIf.CLOSED, soon())).isEqualTo(Ended.OVER);
    assertThat(backend.renew(HOLDER, soon())).isEqualTo(new Renewed.Over());
    assertThat(backend.renew(SECOND, soon())).isInstanceOf(Renewed.Alive.class);
  }
}
