package io.holdfast.tck.rules.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EachStep;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.Readings;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The record that people see of a lock: who holds it and why, who waits, and which locks there are.
 */
@Topic(value = "REC", level = Level.CORE, clause = "LockBackend.inspect and list")
public interface RecordRules extends SpiRules {

  /** Texts that quoting, folding, trimming and narrow columns damage. */
  List<String> ODD_TEXTS =
      List.of(
          "",
          " ",
          "nightly run of O'Reilly's \"report\" \\ 100 %",
          "two\nlines\tand a tab ",
          "\u65e5\u672c \ud83d\ude00 e\u0301",
          "x".repeat(AcquireOptions.WHY_MAX),
          "\ud83d\ude00".repeat(AcquireOptions.WHY_MAX / 2));

  @Test
  @Rule("HF-REC-01")
  default void aLockThatNobodyEverTookHasNoRecord() {
    assertThat(fixture().client().inspect(LOCK)).isEmpty();
  }

  @Test
  @Rule("HF-REC-02")
  default void aRecordTellsWhoHolds() {
    SpiClient client = fixture().client();
    Request request =
        withProcess(
            client.request(LOCK, IfHeld.REFUSE, "nightly", Payload.ofText("here")), "host:42");
    Held held = client.hold(request);

    LockRecord record = fixture().client().inspect(LOCK).orElseThrow();

    assertThat(record.name()).isEqualTo(LOCK);
    assertThat(record.number()).isEqualTo(held.number());
    assertThat(record.waiters()).isEmpty();
    Holder holder = record.holder().orElseThrow();
    assertThat(holder.request()).isEqualTo(request.id());
    assertThat(holder.mode()).isEqualTo(LockMode.EXCLUSIVE);
    assertThat(holder.process()).isEqualTo(new ProcessIdentity("host:42"));
    assertThat(holder.why()).isEqualTo("nightly");
    assertThat(holder.payload()).isEqualTo(Payload.ofText("here"));
    assertThat(holder.liveness()).isEqualTo(Liveness.LIVE);
    assertThat(holder.revokedAt()).isEmpty();
    // The TTL, and what a store adds to it for its clock.
    Duration greatest = StoreFixture.LONG.multipliedBy(2);
    assertThat(holder.countsFor().orElse(greatest))
        .as("how long the holder counts, if the store tells")
        .isBetween(Duration.ofNanos(1), greatest);
  }

  @Test
  @Rule("HF-REC-03")
  default void sinceIsToldAlikeToEverybody() {
    SpiClient client = fixture().client();
    Request request = client.request(LOCK);
    Attempt.Granted granted = (Attempt.Granted) client.grab(request);

    assertThat(((Standing.Holding) client.standing(request)).since()).isEqualTo(granted.since());
    assertThat(client.holder(LOCK).since()).isEqualTo(granted.since());
    assertThat(client.grab(request)).isEqualTo(granted);
  }

  @Test
  @Rule("HF-REC-04")
  default void aRecordTellsWhoWaitsInOrder() {
    fixture().client().hold(LOCK);
    SpiClient client = fixture().client();
    Request first =
        withProcess(client.request(LOCK, IfHeld.QUEUE, "first", Payload.EMPTY), "one:1");
    Request second =
        withProcess(client.request(LOCK, IfHeld.QUEUE, "second", Payload.EMPTY), "two:2");
    client.grab(first);
    client.grab(second);

    assertThat(client.inspect(LOCK).orElseThrow().waiters())
        .containsExactly(
            new Waiter(first.id(), first.mode(), first.process(), "first"),
            new Waiter(second.id(), second.mode(), second.process(), "second"));
  }

  @Test
  @Rule("HF-REC-05")
  default void aReasonComesBackAsItWasGiven() {
    SpiClient client = fixture().client();

    for (String why : ODD_TEXTS) {
      Held held = client.hold(client.request(LOCK, IfHeld.REFUSE, why, Payload.EMPTY));
      assertThat(client.holder(LOCK).why()).isEqualTo(why);
      client.release(held);
    }
  }

  @Test
  @Rule("HF-REC-06")
  default void aProcessComesBackAsItWasGiven() {
    SpiClient client = fixture().client();

    for (String process : List.of(" ", "a ", "O'Reilly\\%", "\ud83d\ude00", "x".repeat(256))) {
      Held held = client.hold(withProcess(client.request(LOCK), process));
      assertThat(client.holder(LOCK).process().value()).isEqualTo(process);
      client.release(held);
    }
  }

  @Test
  @Rule("HF-REC-07")
  default void aPayloadComesBackAsItWasGiven() {
    SpiClient client = fixture().client();
    SpiClient other = fixture().client();

    for (Payload payload : oddPayloads()) {
      Held held = client.hold(client.request(LOCK, IfHeld.REFUSE, "", payload));
      assertThat(client.holder(LOCK).payload()).isEqualTo(payload);
      assertThat(other.refused(LOCK).payload()).isEqualTo(payload);
      client.release(held);
    }
  }

  /** The published payload is the holder's: one given while waiting appears with the grant. */
  @Test
  @Rule("HF-REC-08")
  default void aPayloadComesWithTheGrantAfterAWait() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(holder.request(LOCK, IfHeld.REFUSE, "", Payload.ofText("before")));
    SpiClient waiter = fixture().client();
    Payload payload = oddPayloads().get(1);
    waiter.grab(waiter.request(LOCK, IfHeld.QUEUE, "it's my turn", payload));
    assertThat(holder.holder(LOCK).payload()).isEqualTo(Payload.ofText("before"));

    holder.release(held);

    assertThat(holder.holder(LOCK).payload()).isEqualTo(payload);
    assertThat(holder.holder(LOCK).why()).isEqualTo("it's my turn");
  }

  private static List<Payload> oddPayloads() {
    byte[] every = new byte[256];
    for (int i = 0; i < every.length; i++) {
      every[i] = (byte) i;
    }
    byte[] longest = new byte[Payload.BYTES_MAX];
    new Random(42).nextBytes(longest);
    return List.of(
        Payload.EMPTY, Payload.of(every), Payload.of(longest), Payload.of(new byte[] {0}));
  }

  @Test
  @Rule("HF-REC-09")
  default void aListIsPaged() {
    SpiClient client = fixture().client();
    List<LockName> names =
        IntStream.range(0, 25)
            .mapToObj(i -> new LockName(String.format(Locale.ROOT, "page/%02d", i)))
            .toList();
    names.forEach(client::hold);
    client.hold(new LockName("other"));
    client.hold(new LockName("page"));

    List<LockName> seen = new ArrayList<>();
    Optional<LockName> after = Optional.empty();
    List<LockRecord> page;
    do {
      page = client.backend().list("page/", after, 10, StoreFixture.soon());
      assertThat(page).hasSizeLessThanOrEqualTo(10);
      page.forEach(record -> seen.add(record.name()));
      after = seen.isEmpty() ? after : Optional.of(seen.get(seen.size() - 1));
    } while (!page.isEmpty() && seen.size() <= names.size());

    assertThat(seen).containsExactlyElementsOf(names);
  }

  @Test
  @Rule("HF-REC-14")
  default void aQueueIsReadPageByPage() {
    SpiClient holder = fixture().client();
    holder.hold(LOCK);
    SpiClient other = fixture().client();
    List<RequestId> waiting = Stream.generate(() -> other.queue(LOCK).id()).limit(7).toList();

    LockRecord first = holder.backend().inspect(LOCK, 3, StoreFixture.soon()).orElseThrow();
    assertThat(first.holders()).as("the holders of %s", LOCK).hasSize(1);
    assertThat(requests(first.waiters())).isEqualTo(waiting.subList(0, 3));
    assertThat(first.waiting()).as("how many wait for %s in all", LOCK).isEqualTo(7);
    assertThat(first.moreWaiters()).isEqualTo(4);
    LockRecord none = holder.backend().inspect(LOCK, 0, StoreFixture.soon()).orElseThrow();
    assertThat(none.waiters()).isEmpty();
    assertThat(none.waiting()).isEqualTo(7);
    assertThat(holder.backend().inspect(LOCK, 10, StoreFixture.soon()).map(Readings::timeless))
        .isEqualTo(holder.inspect(LOCK).map(Readings::timeless));

    assertThat(requests(behind(holder, waiting.get(2), 3))).isEqualTo(waiting.subList(3, 6));
    assertThat(requests(behind(holder, waiting.get(5), 3))).isEqualTo(waiting.subList(6, 7));
    assertThat(behind(holder, waiting.get(6), 3)).isEmpty();
    assertThat(behind(holder, waiting.get(0), 10))
        .isEqualTo(holder.inspect(LOCK).orElseThrow().waiters().subList(1, 7));
    RequestId held = first.holders().get(0).request();
    for (RequestId gone : List.of(held, new RequestId(SessionId.fresh(), 1))) {
      assertThat(holder.backend().waitersBehind(LOCK, gone, 3, StoreFixture.soon()))
          .as("behind %s, which does not wait", gone)
          .isEmpty();
    }
    assertThat(holder.backend().waitersBehind(new LockName("none"), held, 3, StoreFixture.soon()))
        .as("of a lock that nobody has taken")
        .isEmpty();
  }

  private static List<RequestId> requests(List<Waiter> waiters) {
    return waiters.stream().map(Waiter::request).toList();
  }

  private static List<Waiter> behind(SpiClient client, RequestId after, int limit) {
    return client
        .backend()
        .waitersBehind(LOCK, after, limit, StoreFixture.soon())
        .orElseThrow(() -> new AssertionError(after + " waits"));
  }

  @Test
  @Rule("HF-REC-10")
  default void aListTellsTheSameAsInspecting() {
    SpiClient holder = fixture().client();
    holder.hold(holder.request(LOCK, IfHeld.REFUSE, "why", oddPayloads().get(1)));
    fixture().client().queue(LOCK);

    assertThat(holder.backend().list("", Optional.empty(), 10, StoreFixture.soon()))
        .extracting(Readings::timeless)
        .containsExactly(Readings.timeless(holder.inspect(LOCK).orElseThrow()));
  }

  @Test
  @Rule("HF-REC-11")
  default void aFreeLockIsNotListed() {
    SpiClient client = fixture().client();
    client.release(client.hold(new LockName("free")));
    client.hold(LOCK);

    assertThat(client.backend().list("", Optional.empty(), 10, StoreFixture.soon()))
        .extracting(LockRecord::name)
        .containsExactly(LOCK);
  }

  @Test
  @Rule("HF-REC-12")
  default void nothingIsListedWhereNothingIsHeld() {
    assertThat(fixture().client().backend().list("", Optional.empty(), 10, StoreFixture.soon()))
        .isEmpty();
  }

  /** A reader that goes page by page stops at one that is not full. */
  @Test
  @Rule("HF-REC-13")
  default void freeLocksTakeNoPlaceOnAPage() {
    SpiClient client = fixture().client();
    List<LockName> held = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      LockName name = new LockName(String.format(Locale.ROOT, "page/%02d", i));
      Held taken = client.hold(name);
      if (i % 2 == 0) {
        held.add(name);
      } else {
        client.release(taken);
      }
    }

    assertThat(client.backend().list("page/", Optional.empty(), 10, StoreFixture.soon()))
        .as("a page of 10, of 12 locks that are held among 24")
        .extracting(LockRecord::name)
        .containsExactlyElementsOf(held.subList(0, 10));
  }

  /** Before each step of the read. */
  @Test
  @Rule("HF-REC-15")
  default void aLockThatIsGivenBackWhileAPageIsReadHidesNoOther() {
    SpiClient client = fixture().client();
    EachStep.of(
        fixture(),
        (scene, step) -> {
          List<Held> held = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            held.add(client.hold(new LockName("page/" + i)));
          }
          List<LockName> names = new ArrayList<>(held.stream().map(Held::name).toList());
          LockName goes = names.remove(0);
          scene.at().arm(step, () -> client.release(held.remove(0)));

          List<LockName> page = new ArrayList<>();
          scene
              .stepped()
              .backend()
              .list("page/", Optional.empty(), 2, StoreFixture.soon())
              .forEach(record -> page.add(record.name()));
          boolean reached = scene.at().disarm();
          held.forEach(client::release);

          assertThat(page).as("a page of 2, of 4 locks of which one is given back").hasSize(2);
          page.remove(goes);
          assertThat(page).isEqualTo(names.subList(0, page.size()));
          return reached;
        });
  }

  private static Request withProcess(Request request, String process) {
    return request.with(new ProcessIdentity(process));
  }
}
