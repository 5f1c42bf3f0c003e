package io.holdfast.jdbc.verbs;

import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.NoticeText;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.SessionRow;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.database.StoredStay;
import io.holdfast.jdbc.verbs.LockReader.LockState;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The verbs that revoke: first the holder's session is told, then its entry is marked. The mark is
 * a stay, which begins when it was read that the session is told, or later.
 */
final class Revocations {

  private final QueueTextDialect dialect;
  private final LockReader reader;
  private final Queues queues;
  private final EntryChanges entries;

  /** Finds the holder that is revoked. */
  @FunctionalInterface
  private interface Finder {
    Optional<Entry> in(LockRow lock);
  }

  /** Does something to a holder; returns empty if its entry has changed since it was read. */
  @FunctionalInterface
  private interface Step {
    Optional<Revocation> take(LockState state, Entry holder) throws SQLException;
  }

  Revocations(QueueTextDialect dialect, LockReader reader, Queues queues, EntryChanges entries) {
    this.dialect = dialect;
    this.reader = reader;
    this.queues = queues;
    this.entries = entries;
  }

  Revocation revoke(DatabaseConnection connection, Observed observed, RevokeWhen when)
      throws SQLException {
    RequestId request = observed.request();
    boolean isTold =
        tell(connection, observed, NoticeText.atOnce(request), NoticeText.begin(request));
    return onHolder(
        connection,
        observed,
        isTold ? told(request) : lock -> lock.holder(observed),
        (state, holder) ->
            when == RevokeWhen.NOW
                ? evict(connection, state, holder)
                : revokeSafely(connection, state, holder));
  }

  Revocation revokeIn(DatabaseConnection connection, Observed observed, Duration notice)
      throws SQLException {
    long left = StoreTime.micros(notice);
    Optional<Revocation> done;
    do {
      done = announce(connection, observed, left);
    } while (done.isEmpty());
    Revocation announced = done.get();
    return announced instanceof Revocation.Marked
        ? onHolder(
            connection,
            observed,
            told(observed.request()),
            (state, holder) -> revokeLater(connection, state, holder, left))
        : announced;
  }

  /**
   * Finds a holder whose session was told: it gives its grant up also if it has downgraded since,
   * and holds by another number.
   */
  private static Finder told(RequestId request) {
    return lock -> lock.holder(request);
  }

  /** Does something to a holder until it is done; one that stays is removed. */
  private Revocation onHolder(
      DatabaseConnection connection, Observed observed, Finder finder, Step step)
      throws SQLException {
    Optional<Revocation> done;
    do {
      done = onHolderOnce(connection, observed, finder, step);
    } while (done.isEmpty());
    return done.get();
  }

  private Optional<Revocation> onHolderOnce(
      DatabaseConnection connection, Observed observed, Finder finder, Step step)
      throws SQLException {
    SessionId session = observed.request().session();
    LockState state = reader.read(connection, observed.name(), session);
    Optional<Entry> holder = finder.in(state.lock());
    if (holder.isEmpty()) {
      return Optional.of(new Revocation.Changed());
    }
    boolean stays = holder.get().stay().filter(stay -> !stay.isRevocation()).isPresent();
    return stays ? evict(connection, state, holder.get()) : step.take(state, holder.get());
  }

  private Optional<Revocation> evict(DatabaseConnection connection, LockState state, Entry holder)
      throws SQLException {
    return queues.remove(connection, state.lock(), holder, Queues.NOBODY) == Released.NOTHING
        ? Optional.empty()
        : Optional.of(new Revocation.Freed());
  }

  /** During the restart guard a session that is over proves nothing: its holder may believe. */
  private Optional<Revocation> revokeSafely(
      DatabaseConnection connection, LockState state, Entry holder) throws SQLException {
    Judge judge = state.seen().judge();
    Optional<SessionRow> session = judge.session(holder);
    Entry marked =
        marked(holder.withoutLockDelay(), session.map(SessionRow::ttl).orElse(0L), judge);
    long left = Math.max(session.isPresent() ? left(marked, judge) : 0, queues.guardLeft(state));
    return left == 0
        ? evict(connection, state, holder)
        : mark(connection, state, holder, marked, left);
  }

  /** It uses up no lock-delay. */
  private Optional<Revocation> revokeLater(
      DatabaseConnection connection, LockState state, Entry holder, long notice)
      throws SQLException {
    Judge judge = state.seen().judge();
    Optional<SessionRow> session = judge.session(holder);
    if (session.isEmpty()) {
      return Optional.of(new Revocation.Marked(StoreTime.duration(queues.guardLeft(state))));
    }
    Entry marked = marked(holder, Math.max(notice, session.get().ttl()), judge);
    long left = Math.max(left(marked, judge), queues.guardLeft(state));
    return mark(connection, state, holder, marked, left);
  }

  /** Returns a holder with a stay of that time, or with its present one if that ends sooner. */
  private static Entry marked(Entry holder, long time, Judge judge) {
    long length = time + judge.clock().maxClockStep();
    boolean endsSooner = holder.stay().filter(stay -> judge.left(stay) <= length).isPresent();
    return endsSooner ? holder : holder.with(judge.begin(Stay.Reason.REVOKED, length));
  }

  private static long left(Entry marked, Judge judge) {
    return judge.left(marked.stay().orElseThrow());
  }

  private Optional<Revocation> mark(
      DatabaseConnection connection, LockState state, Entry holder, Entry marked, long left)
      throws SQLException {
    return entries.replace(connection, state.lock(), holder, marked)
        ? Optional.of(new Revocation.Marked(StoreTime.duration(left)))
        : Optional.empty();
  }

  /**
   * Tells a session that it may keep a grant for a while, unless it was told to give it up sooner;
   * empty if it has been told something else meanwhile. The notice that it was given is read before
   * the clock: else a notice that is written in between would begin in the future, and be taken for
   * one of a clock that was set back.
   */
  private Optional<Revocation> announce(DatabaseConnection connection, Observed observed, long left)
      throws SQLException {
    Optional<String> told = notice(connection, observed.request());
    return onHolderOnce(
        connection,
        observed,
        lock -> lock.holder(observed),
        (state, holder) -> {
          Judge judge = state.seen().judge();
          return judge.session(holder).isEmpty() || isTold(connection, observed, judge, left, told)
              ? Optional.of(new Revocation.Marked(StoreTime.duration(left)))
              : Optional.empty();
        });
  }

  private boolean isTold(
      DatabaseConnection connection,
      Observed observed,
      Judge judge,
      long left,
      Optional<String> told)
      throws SQLException {
    Optional<StoredStay> before = told.flatMap(NoticeText::stay);
    boolean isSooner =
        told.isPresent()
            && before.filter(stay -> !judge.isDoubtful(stay) && judge.left(stay) > left).isEmpty();
    String notice = NoticeText.of(observed.request(), judge.begin(Stay.Reason.REVOKED, left));
    return isSooner || tell(connection, observed, notice, told.orElse(notice));
  }

  private Optional<String> notice(DatabaseConnection connection, RequestId request)
      throws SQLException {
    return connection
        .read(
            dialect.notices(),
            Map.of("session", request.session().value()),
            row -> row.getString("notices"))
        .stream()
        .flatMap(notices -> NoticeText.find(notices, request).stream())
        .findFirst();
  }

  /**
   * Tells the holder's session, unless it has a notice with a time that is another than {@code
   * instead}.
   */
  private boolean tell(
      DatabaseConnection connection, Observed observed, String notice, String instead)
      throws SQLException {
    RequestId request = observed.request();
    return connection.change(
            dialect.notifyRevoked(),
            Map.of(
                "name", observed.name().bytes(),
                "number", observed.number(),
                "mark", Entry.mark(request),
                "holder", request.session().value(),
                "once", NoticeText.atOnce(request),
                "begin", NoticeText.begin(request),
                "notice", notice,
                "instead", instead))
        > 0;
  }
}
