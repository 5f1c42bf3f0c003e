package io.holdfast.zookeeper.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class NoticesTest {

  private static final SessionId SESSION = SessionId.fresh();
  private static final RequestId ONE = new RequestId(SESSION, 1);
  private static final RequestId OTHER = new RequestId(SESSION, 2);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(20);

  private static Stat writtenAt(long millis) {
    Stat stat = new Stat();
    stat.setMzxid(3L << 32);
    stat.setMtime(millis);
    return stat;
  }

  private static String text(Notices notices) {
    String text = new String(notices.encoded(), StandardCharsets.UTF_8);
    assertThat(Notices.of(SESSION, notices.encoded())).isEqualTo(notices);
    return text;
  }

  @Test
  void whoMustGiveUpAtOnceHasALineWithoutATime() {
    Notices notices = Notices.NONE.with(ONE, Duration.ZERO, writtenAt(1));

    assertThat(text(notices)).isEqualTo("1\n");
    assertThat(text(notices.with(ONE, LONG, writtenAt(2)))).isEqualTo("1\n");
    assertThat(text(notices.without(ONE, writtenAt(2)))).isEmpty();
  }

  /** Else each further notice would begin the earlier ones anew. */
  @Test
  void aTimeRunsOnWhenTheNodeIsWrittenForAnother() {
    Notices notices = Notices.NONE.with(ONE, LONG, writtenAt(1_000));
    assertThat(text(notices)).isEqualTo("1 60000\n");

    Notices both = notices.with(OTHER, LONG, writtenAt(5_000));

    assertThat(text(both)).isEqualTo("1 60000 5000@3\n2 60000\n");
    assertThat(text(both.without(OTHER, writtenAt(9_000)))).isEqualTo("1 60000 5000@3\n");
  }

  /** It is not known when it is written which of two ends first. */
  @Test
  void aShorterTimeCountsBesideALongerOneThatBeganBefore() {
    Notices notices =
        Notices.NONE.with(ONE, LONG, writtenAt(1_000)).with(ONE, SHORT, writtenAt(5_000));

    assertThat(text(notices)).isEqualTo("1 60000 5000@3\n1 20000\n");
    assertThat(notices.told().get(ONE))
        .containsExactly(
            StoredStay.beginning(Stay.Reason.REVOKED, LONG).runningOn(writtenAt(5_000)),
            StoredStay.beginning(Stay.Reason.REVOKED, SHORT));
    assertThat(notices.with(ONE, LONG, writtenAt(7_000)).told().get(ONE)).hasSize(2);
    assertThat(notices.with(ONE, Duration.ZERO, writtenAt(7_000)).told().get(ONE))
        .isEqualTo(List.of());
  }
}
