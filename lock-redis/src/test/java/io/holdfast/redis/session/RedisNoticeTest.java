package io.holdfast.redis.session;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.observed;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.record.RevokeWhen;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Renewed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a holder is told that is revoked several times, with notices that are less than its TTL. */
class RedisNoticeTest extends RedisServerTestBase {

  private static final Duration HALF = NamespaceSettings.MAX_TTL_DEFAULT.dividedBy(2);

  private static Duration told(LockBackend backend, SessionId session) {
    List<Notice> notices = ((Renewed.Alive) backend.renew(session, soon())).notices();
    assertThat(notices).hasSize(1);
    return ((Notice.Revoked) notices.get(0)).left();
  }

  /** Each of them leaves it a whole TTL, so none of them ends before another. */
  @Test
  void theSoonerNoticeIsTold() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    Request held = request(mine, "a", IfHeld.REFUSE);
    Observed holder = observed(held, take(backend, held).number());

    backend.revokeIn(holder, HALF, soon());
    assertThat(told(backend, mine)).isPositive();
    backend.revokeIn(holder, HALF.dividedBy(10), soon());
    assertThat(told(backend, mine)).isLessThanOrEqualTo(HALF.dividedBy(10));
    backend.revokeIn(holder, HALF, soon());
    assertThat(told(backend, mine)).isLessThanOrEqualTo(HALF.dividedBy(10));
    backend.revoke(holder, RevokeWhen.SAFELY, soon());
    assertThat(told(backend, mine)).isZero();
  }
}
