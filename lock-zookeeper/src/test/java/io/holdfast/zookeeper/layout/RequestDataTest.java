package io.holdfast.zookeeper.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.Stay;
import io.holdfast.spi.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class RequestDataTest {

  private static final Request REQUEST =
      Request.of(
              new LockName("a"),
              new RequestId(SessionId.fresh(), 1),
              new ProcessIdentity("host:1 mode=s"))
          .why("a\nreason – and more")
          .with(Payload.ofText("a\npayload"));

  private static final StoredStay REVOKED =
      StoredStay.beginning(Stay.Reason.REVOKED, Duration.ofSeconds(31));

  private static void assertReadBack(RequestData data) {
    assertThat(RequestData.parse(data.encode())).isEqualTo(data);
  }

  private static String fields(RequestData data) {
    return new String(data.encode(), StandardCharsets.UTF_8).lines().findFirst().orElseThrow();
  }

  private static Stat writtenAt(long zxid, long millis) {
    Stat stat = new Stat();
    stat.setMzxid(zxid);
    stat.setMtime(millis);
    return stat;
  }

  @Test
  void whatARequestPublishesIsReadByteForByte() {
    RequestData data = RequestData.of(REQUEST);

    assertReadBack(data);
    assertThat(data.process()).isEqualTo(REQUEST.process());
    assertThat(data.why()).isEqualTo(REQUEST.why());
    assertThat(data.payload()).isEqualTo(REQUEST.payload());
    assertThat(fields(data)).isEqualTo("mode=x");
  }

  @Test
  void aModeAndALockDelayAreReadBack() {
    RequestData data =
        RequestData.of(REQUEST.with(LockMode.SHARED).lockDelay(Duration.ofNanos(1_000_001)));

    assertReadBack(data);
    assertThat(fields(data)).isEqualTo("mode=s delay=2");
  }

  @Test
  void aStayUsesUpTheLockDelay() {
    RequestData data = RequestData.of(REQUEST.lockDelay(Duration.ofSeconds(3))).with(REVOKED);

    assertReadBack(data);
    assertThat(fields(data)).isEqualTo("mode=x stay=revoked:31000");
  }

  /** Else each downgrade would begin it anew, since the node's last write says since when. */
  @Test
  void aDowngradeKeepsWhenAStayBegan() {
    RequestData data =
        RequestData.of(REQUEST).with(REVOKED).downgraded(writtenAt(3L << 32 | 7, 5_000));

    assertReadBack(data);
    assertThat(fields(data)).isEqualTo("mode=s stay=revoked:31000 from=5000@3");
    assertThat(data.stay().orElseThrow().began(writtenAt(4L << 32, 9_000)))
        .isEqualTo(new Moment(3, 5_000));
  }

  @Test
  void aStayThatBeginsAnewBeginsWithItsWrite() {
    RequestData data =
        RequestData.of(REQUEST).with(REVOKED).downgraded(writtenAt(3L << 32, 5_000)).stayingAnew();

    assertThat(data.stay()).contains(REVOKED);
  }
}
