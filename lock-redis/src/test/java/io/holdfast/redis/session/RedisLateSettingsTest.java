package io.holdfast.redis.session;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.ResumableSessions;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Who only reads was there before the first settings. */
class RedisLateSettingsTest extends RedisServerTestBase {

  private static final int PARTITIONS = 8;
  private static final LockName LOCK = new LockName("a");

  private SessionId takenInPartitionsOf(int partitions) {
    LockBackend later =
        namespace.backend(
            new BackendOptions(
                new NamespaceWish(OptionalInt.of(partitions), Optional.empty(), Optional.empty()),
                RestartGuard.OFF));
    SessionId session = session(later, later.partition(LOCK));
    take(later, request(session, LOCK.toString(), IfHeld.REFUSE));
    return session;
  }

  @Test
  void whoWouldLookElsewhereIsToldToConnectAgain() {
    LockBackend earlier = namespace.backend();
    assertThat(earlier.inspect(LOCK, soon())).isEmpty();

    SessionId session = takenInPartitionsOf(PARTITIONS);

    requireToldToConnectAgain(() -> earlier.inspect(LOCK, soon()));
    requireToldToConnectAgain(() -> earlier.list("", Optional.empty(), 9, soon()));
    requireToldToConnectAgain(() -> ((ResumableSessions) earlier).resume(session, soon()));
    assertThat(namespace.backend().inspect(LOCK, soon())).isPresent();
  }

  private static void requireToldToConnectAgain(Runnable reads) {
    assertThatThrownBy(reads::run)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContainingAll("in 8", "Connect again");
  }

  @Test
  void whoLooksInTheRightPlaceGoesOn() {
    LockBackend earlier = namespace.backend();

    SessionId session = takenInPartitionsOf(earlier.partition(LOCK) + 1);

    assertThat(earlier.inspect(LOCK, soon()).orElseThrow().holder().orElseThrow().request())
        .returns(session, request -> request.session());
  }
}
