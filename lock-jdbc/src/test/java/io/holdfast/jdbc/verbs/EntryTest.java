package io.holdfast.jdbc.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.jdbc.database.SessionRow;
import io.holdfast.jdbc.database.SessionRow.Clock;
import io.holdfast.jdbc.database.StoredStay;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay.Reason;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The text of a request in a queue, as SQL cuts it and as it lies in the golden files. */
class EntryTest {

  private static final SessionId SESSION = new SessionId("0123456789abcdef0123456789abcdef");
  private static final long NOW = 1_700_000_000_000_000L;
  private static final SessionRow LIVING = new SessionRow(15_000_000, NOW, true);

  private static final Request REQUEST =
      Request.of(new LockName("a"), new RequestId(SESSION, 11), new ProcessIdentity("host:1"));

  private static Judge judge(SessionRow... sessions) {
    return new Judge(
        new Clock(NOW, 1_000_000),
        "boot-1",
        sessions.length == 0 ? Map.of() : Map.of(SESSION.value(), sessions[0]));
  }

  private static StoredStay begun(Reason reason, Duration ago) {
    return new StoredStay(reason, NOW - ago.toMillis() * 1_000, 5_000_000, "boot-1");
  }

  @Test
  void theTextIsAsOtherVersionsReadIt() {
    Request all =
        REQUEST
            .with(LockMode.SHARED)
            .why("!,;~@")
            .with(Payload.ofText("\u00e9"))
            .lockDelay(Duration.ofSeconds(3));
    StoredStay stay = begun(Reason.AT_LEAST, Duration.ZERO);

    assertThat(Entry.of(REQUEST).text())
        .isEqualTo("x!0123456789abcdef0123456789abcdef-11,aG9zdDox,,,,;");
    assertThat(Entry.of(all).text())
        .isEqualTo("s!0123456789abcdef0123456789abcdef-11,aG9zdDox,ISw7fkA,w6k,3000000,;");
    assertThat(Entry.of(all).tombstone(stay).text())
        .isEqualTo(
            "s~0123456789abcdef0123456789abcdef-11,aG9zdDox,ISw7fkA,w6k,,a1700000000000000+5000000@boot-1;");
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    byte[] everyByte = new byte[256];
    for (int i = 0; i < everyByte.length; i++) {
      everyByte[i] = (byte) i;
    }
    Request first =
        REQUEST.with(LockMode.SHARED).with(new ProcessIdentity("!,;'\"")).why("\u00e9;!,\n");
    Request second = REQUEST.with(Payload.of(everyByte)).lockDelay(Duration.ofSeconds(3));

    List<Entry> entries = Entry.all(Entry.of(first).text() + Entry.of(second).text());

    assertThat(entries.get(0).waiter())
        .isEqualTo(new Waiter(first.id(), LockMode.SHARED, first.process(), first.why()));
    assertThat(entries.get(1).holder(Instant.EPOCH, judge()).payload()).isEqualTo(second.payload());
    assertThat(entries.get(1).lockDelay()).isEqualTo(3_000_000);
    assertThatThrownBy(() -> Entry.all("x!nonsense")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMarkMatchesNoRequestWhoseNumberBeginsOrEndsAlike() {
    String queue = Entry.of(REQUEST).text();

    assertThat(queue).contains(Entry.mark(REQUEST.id()));
    assertThat(queue).doesNotContain(Entry.mark(new RequestId(SESSION, 1)));
    assertThat(queue).doesNotContain(Entry.mark(new RequestId(SESSION, 111)));
  }

  @Test
  void aHolderIsJudgedByItsStayAndThenByItsSession() {
    Entry entry = Entry.of(REQUEST.lockDelay(Duration.ofSeconds(5)));
    Duration brief = Duration.ofSeconds(1);
    Duration longAgo = Duration.ofSeconds(5);
    Entry revoked = entry.with(begun(Reason.REVOKED, brief));
    Entry due = entry.with(begun(Reason.REVOKED, longAgo));
    Entry delayed = entry.withoutLockDelay().with(begun(Reason.LOCK_DELAY, brief));
    Entry tombstone = entry.tombstone(begun(Reason.AT_LEAST, longAgo));

    assertThat(judge(LIVING).liveness(entry)).isEqualTo(Liveness.LIVE);
    assertThat(judge().beginsDelay(entry)).isTrue();
    assertThat(judge().beginsDelay(revoked)).as("a notice uses up no delay").isTrue();
    assertThat(judge().mayBeRemoved(entry)).isFalse();
    assertThat(judge(LIVING).liveness(revoked)).isEqualTo(Liveness.LIVE);
    assertThat(judge(LIVING).liveness(due)).isEqualTo(Liveness.REVOCATION_DUE);
    assertThat(judge().liveness(delayed)).isEqualTo(Liveness.STAYING);
    assertThat(judge().mayBeRemoved(delayed)).isFalse();
    assertThat(judge(LIVING).mayBeRemoved(tombstone)).isTrue();
    assertThat(judge().dueIn(delayed)).contains(Duration.ofSeconds(4));
  }

  @Test
  void aStayOfAnotherClockHasItsWholeTimeLeft() {
    Entry elsewhere =
        Entry.of(REQUEST).tombstone(new StoredStay(Reason.AT_LEAST, 1, 5_000_000, "boot-0"));
    Entry ahead =
        Entry.of(REQUEST).tombstone(new StoredStay(Reason.AT_LEAST, NOW + 1, 5_000_000, "boot-1"));

    for (Entry entry : List.of(elsewhere, ahead)) {
      assertThat(judge().liveness(entry)).isEqualTo(Liveness.STAYING);
      assertThat(judge().dueIn(entry)).contains(Duration.ofSeconds(5));
    }
  }
}
