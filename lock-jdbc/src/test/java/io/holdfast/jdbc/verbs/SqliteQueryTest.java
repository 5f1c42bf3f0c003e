package io.holdfast.jdbc.verbs;

import static io.holdfast.jdbc.fixtures.LockFile.observed;
import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteQueryTest {

  @TempDir private Path directory;
  private LockFile file;
  private LockBackend backend;
  private SessionId mine;

  @BeforeEach
  void open() {
    file = LockFile.in(directory);
    backend = file.backend();
    mine = session(backend);
  }

  @AfterEach
  void close() {
    file.close();
  }

  private List<Standing> look(Request... requests) {
    return backend.look(mine, java.util.Arrays.stream(requests).map(Request::key).toList(), soon());
  }

  private List<String> names(String prefix, Optional<LockName> after, int limit) {
    return backend.list(prefix, after, limit, soon()).stream()
        .map(record -> record.name().value())
        .toList();
  }

  @Test
  void aLookCoversMoreLocksThanOneStatementDoes() {
    List<RequestKey> keys = new ArrayList<>();
    for (int i = 0; i < 1201; i++) {
      keys.add(request(mine, "lock " + i, IfHeld.QUEUE).key());
    }
    Request last = request(mine, "lock 1200", IfHeld.QUEUE);
    take(backend, last);
    keys.add(last.key());

    List<Standing> standings = backend.look(mine, keys, soon());

    assertThat(standings).hasSize(keys.size());
    assertThat(standings.get(keys.size() - 1)).isInstanceOf(Standing.Holding.class);
    assertThat(standings.subList(0, keys.size() - 1)).containsOnly(new Standing.Absent());
  }

  @Test
  void whoeverDoesNotCountAnyMoreIsAnObstacleNearestToTheHeadFirst() {
    SessionId closed = session(backend);
    SessionId lapsed = session(backend);
    SessionId alive = session(backend);
    SessionId foreign = session(file.backend(SqliteSettings.standard().incarnation("earlier")));
    Request head = request(closed, "a", IfHeld.QUEUE);
    long number = take(backend, head).number();
    Request second = request(alive, "a", IfHeld.QUEUE);
    Request third = request(lapsed, "a", IfHeld.QUEUE);
    Request fourth = request(foreign, "a", IfHeld.QUEUE);
    Request me = request(mine, "a", IfHeld.QUEUE);
    Request behind = request(closed, "a", IfHeld.QUEUE);
    List.of(second, third, fourth, me, behind).forEach(each -> backend.grab(each, soon()));
    backend.end(closed, EndIf.CLOSED, soon());
    file.age(lapsed, Duration.ofHours(1));

    Standing standing = look(me).get(0);

    requireWaiting(
        standing,
        4,
        new Obstacle(observed(head, number), head.id(), Liveness.ENDED),
        new Obstacle(observed(head, number), third.id(), Liveness.LAPSED),
        new Obstacle(observed(head, number), fourth.id(), Liveness.LAPSED));
  }

  @Test
  void aHeadRevokedATtlAgoIsAnObstacleAndOneRevokedJustNowIsNot() {
    SessionId other = session(backend);
    Request head = request(other, "a", IfHeld.QUEUE);
    long number = take(backend, head).number();
    Request me = request(mine, "a", IfHeld.QUEUE);
    backend.grab(me, soon());
    backend.revoke(observed(head, number), io.holdfast.record.RevokeWhen.SAFELY, soon());

    requireWaiting(look(me).get(0), 1);

    file.moveStays(Duration.ofSeconds(-16));
    requireWaiting(
        look(me).get(0),
        1,
        new Obstacle(observed(head, number), head.id(), Liveness.REVOCATION_DUE));
  }

  private static void requireWaiting(Standing standing, int ahead, Obstacle... obstacles) {
    assertThat(standing)
        .isInstanceOfSatisfying(
            Standing.Waiting.class,
            waiting -> {
              assertThat(waiting.ahead()).isEqualTo(ahead);
              assertThat(waiting.obstacles()).containsExactly(obstacles);
            });
  }

  @Test
  void obstaclesAreCutOffButCountedInThePlace() {
    SessionId closed = session(backend);
    for (int i = 0; i < 100; i++) {
      backend.grab(request(closed, "a", IfHeld.QUEUE), soon());
    }
    Request me = request(mine, "a", IfHeld.QUEUE);
    backend.grab(me, soon());
    backend.end(closed, EndIf.CLOSED, soon());

    Standing.Waiting waiting = (Standing.Waiting) look(me).get(0);

    assertThat(waiting.ahead()).isEqualTo(100);
    assertThat(waiting.obstacles()).hasSizeBetween(10, 64);
    assertThat(waiting.obstacles().get(0).isHead()).isTrue();
  }

  @Test
  void aRecordIsShownAlsoWhenTheLockIsFree() {
    assertThat(backend.inspect(new LockName("a"), soon())).isEmpty();
    Request held = request(mine, "a", IfHeld.REFUSE);
    long number = take(backend, held).number();
    backend.release(held.name(), held.id(), soon());

    LockRecord record = backend.inspect(held.name(), soon()).orElseThrow();

    assertThat(record.number()).isEqualTo(number);
    assertThat(record.holder()).isEmpty();
  }

  @Test
  void anIllFormedPrefixIsRefused() {
    assertThatThrownBy(() -> names("\ud800", Optional.empty(), 2))
        .isInstanceOf(BadRequestException.class);
  }

  @Test
  void aRecordWithoutALivingHolderSaysSo() {
    SessionId closed = session(backend);
    take(backend, request(closed, "a", IfHeld.REFUSE));
    backend.end(closed, EndIf.CLOSED, soon());

    assertThat(
            backend.list("", Optional.empty(), 9, soon()).get(0).holder().orElseThrow().liveness())
        .isEqualTo(Liveness.ENDED);
  }

  @Test
  void aRecordThatCannotBeReadSaysSo() {
    take(backend, request(mine, "a", IfHeld.REFUSE));
    file.execute("UPDATE holdfast_locks SET queue = 'nonsense;'");

    assertThatThrownBy(() -> backend.inspect(new LockName("a"), soon()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("lock a");
  }
}
