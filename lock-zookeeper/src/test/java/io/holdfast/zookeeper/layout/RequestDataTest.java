package io.holdfast.zookeeper.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
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
  void aLockDelayIsUsedUpWhenItBegins() {
    RequestData data = RequestData.of(REQUEST.lockDelay(Duration.ofSeconds(3)));

    assertReadBack(data.inDelay());
    assertThat(fields(data.with(REVOKED))).isEqualTo("mode=x delay=3000 stay=revoked:31000");
    assertThat(fields(data.inDelay())).isEqualTo("mode=x stay=lock_delay:3000");
    assertThat(fields(data.with(REVOKED).withoutDelay())).isEqualTo("mode=x stay=revoked:31000");
  }

  /** Its node is another one, and a node's creation is the number of the grant. */
  @Test
  void aTombstoneKeepsTheCreationOfTheFirstNode() {
    Stat first = writtenAt(8, 9_000);
    first.setCzxid(7);
    first.setCtime(5_000);

    RequestData data =
        RequestData.of(REQUEST.lockDelay(Duration.ofSeconds(3)))
            .tombstone(first, Duration.ofSeconds(60));

    assertReadBack(data);
    assertThat(fields(data)).isEqualTo("mode=x stay=at_least:60000 made=7@5000");
    assertThat(data.creation(new Stat())).isEqualTo(RequestData.of(REQUEST).creation(first));
    assertThat(data.isTombstone()).isTrue();
    assertThat(RequestData.of(REQUEST).with(REVOKED).isTombstone()).isFalse();
  }

  /** Else each downgrade would begin it anew, since the node's last write says since when. */
  @Test
  void aDowngradeKeepsWhenAStayBegan() {
    RequestData data =
        RequestData.of(REQUEST).with(REVOKED).runningOn(writtenAt(3L << 32 | 7, 5_000)).shared();

    assertReadBack(data);
    assertThat(fields(data)).isEqualTo("mode=s stay=revoked:31000 from=5000@3");
    assertThat(data.stay().orElseThrow().began(writtenAt(4L << 32, 9_000)))
        .isEqualTo(new Moment(3, 5_000));
  }

  @Test
  void aStayThatBeginsAnewBeginsWithItsWrite() {
    RequestData data =
        RequestData.of(REQUEST).with(REVOKED).runningOn(writtenAt(3L << 32, 5_000)).stayingAnew();

    assertThat(data.stay()).contains(REVOKED);
  }
}
