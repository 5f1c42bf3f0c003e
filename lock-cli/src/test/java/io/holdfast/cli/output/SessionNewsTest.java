package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencingToken;
import io.holdfast.LockEvent;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.SessionState;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionNewsTest {

  private static final SessionId SESSION = SessionId.fresh();
  private static final Duration TTL = Duration.ofSeconds(15);

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final SessionNews news =
      new SessionNews(new Messages(new PrintStream(err, true, StandardCharsets.UTF_8), false), TTL);

  @Test
  void theTtlIsTheOneThatTheStoreGranted() {
    assertThat(news.ttl()).isEqualTo(TTL);
    news.accept(new LockEvent.SessionOpened(SESSION, Duration.ofSeconds(9)));
    assertThat(news.ttl()).isEqualTo(Duration.ofSeconds(9));
    assertThat(said()).isEmpty();
  }

  @Test
  void renewalsThatFailAreToldOnceUntilOneSucceeds() {
    news.accept(new LockEvent.HeartbeatFailed(SESSION, "away"));
    news.accept(new LockEvent.HeartbeatFailed(SESSION, "away"));
    news.accept(changed(SessionState.LATE, SessionState.SAFE));
    news.accept(new LockEvent.HeartbeatFailed(SESSION, "away"));

    assertThat(said().lines().filter(line -> line.contains("away"))).hasSize(2);
    assertThat(said()).contains("renewed again");
  }

  @Test
  void dangerAndDelayAreTold() {
    news.accept(changed(SessionState.SAFE, SessionState.LATE));
    news.accept(changed(SessionState.LATE, SessionState.JEOPARDY));
    news.accept(
        new LockEvent.GrantsDelayed(new LockName("demo"), Duration.ofSeconds(60), "restarted"));

    assertThat(said().lines())
        .containsExactly(
            "holdfast: the session is late with its renewal: for a reason",
            "holdfast: the session is in jeopardy, its lease has run out: for a reason",
            "holdfast: the store grants the lock to no client for another 60.0 s: restarted");
  }

  @Test
  void noticeOfARevocationIsTold() {
    news.accept(
        new LockEvent.GrantRevokedLater(
            new LockName("demo"), new FencingToken(7), Duration.ofMinutes(10)));

    assertThat(said())
        .isEqualToIgnoringNewLines(
            "holdfast: the lock was revoked with notice (by 'break --in'): it may be held for another 10 min");
  }

  private static LockEvent changed(SessionState from, SessionState to) {
    return new LockEvent.SessionStateChanged(SESSION, from, to, "for a reason");
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
