package io.holdfast.zookeeper;

import io.holdfast.BadRequestException;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Notice;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Resumed;
import io.holdfast.spi.SessionSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Sessions: each two nodes that hang on a ZooKeeper session, which takes them away in one step with
 * all of its requests. A renewal is a write to the one; in the other stands what was revoked.
 */
final class Sessions implements AutoCloseable {

  private final Link link;
  private final Paths paths;
  private final Namespaces namespaces;
  private final NamespaceWish wish;
  private final Abandoned abandoned;

  /** Those that this client speaks for, as far as they are not known to be over. */
  private final Map<SessionId, Session> known = new ConcurrentHashMap<>();

  Sessions(Link link, Paths paths, Namespaces namespaces, NamespaceWish wish) {
    this.link = link;
    this.paths = paths;
    this.namespaces = namespaces;
    this.wish = wish;
    this.abandoned = new Abandoned(paths, link.tick(), this::isKnown, this::over);
  }

  Opened open(SessionSpec spec, Deadline deadline) {
    long sentNanos = System.nanoTime();
    Namespace namespace = link.verb(deadline, steps -> namespaces.openFor(steps, wish, spec.ttl()));
    Line line = link.lines().ofNewSession(spec.ttl().plus(link.tick()));
    try {
      SessionRef ref = link.verb(line, deadline, steps -> make(steps, line, spec, namespace));
      Session session = new Session(ref, line, link.tick(), sentNanos, OptionalInt.of(0));
      known.put(spec.id(), session);
      abandoned.watch(session);
      return new Opened(ref.ttl(), namespace.settings(), Optional.empty());
    } catch (SessionGone gone) {
      line.leave();
      throw new BackendFailure(
          Effect.UNKNOWN,
          "The session %s at %s was over before it was opened.".formatted(spec.id(), link.name()),
          gone);
    } catch (RuntimeException | Error e) {
      line.leave();
      throw e;
    }
  }

  private SessionRef make(Steps steps, Line line, SessionSpec spec, Namespace namespace) {
    ZooKeeper client = line.connected(steps.deadline());
    Duration ttl = Duration.ofMillis(client.getSessionTimeout()).minus(link.tick());
    if (ttl.isNegative() || ttl.isZero()) {
      throw new BadRequestException(
          "The session timeout of the client for %s is %d ms, which is no longer than a tick (%d ms)."
              .formatted(link.name(), client.getSessionTimeout(), link.tick().toMillis()));
    }
    SessionRef ref =
        SessionRef.of(spec.id(), line.identity(client), ttl, namespace, spec.process());
    Code code = create(steps, ref);
    if (code == Code.NONODE) {
      Namespaces.makeAbove(steps, paths.session(spec.id()));
      Namespaces.makeAbove(steps, paths.notices(spec.id()));
      code = create(steps, ref);
    }
    if (code != Code.OK) {
      // Only if nobody has the id: else a late copy would take it from its owner.
      throw new BackendFailure(
          Effect.UNKNOWN,
          "The session %s at %s was opened before (%s).".formatted(spec.id(), link.name(), code),
          null);
    }
    return ref;
  }

  private Code create(Steps steps, SessionRef ref) {
    Flight flight = steps.flight();
    Answer<List<OpResult>> made =
        flight.writeAll(
            List.of(
                Op.create(paths.session(ref.id()), ref.data(), link.rights(), CreateMode.EPHEMERAL),
                Op.create(
                    paths.notices(ref.id()),
                    Notices.NONE.encoded(),
                    link.rights(),
                    CreateMode.EPHEMERAL)));
    flight.land();
    return made.code();
  }

  /** Does something in the name of a session, unless it is over. */
  <T> T inNameOf(SessionId id, Deadline deadline, BiFunction<Session, Steps, T> body, T ifOver) {
    Optional<Session> session = find(id, deadline);
    if (session.isEmpty()) {
      return ifOver;
    }
    try {
      return link.verb(session.get().line(), deadline, steps -> body.apply(session.get(), steps));
    } catch (SessionGone gone) {
      over(session.get());
      return ifOver;
    }
  }

  /** Returns a session that this client speaks for. */
  Optional<Session> known(SessionId id) {
    return Optional.ofNullable(known.get(id));
  }

  private boolean isKnown(Session session) {
    return known.get(session.ref().id()) == session;
  }

  private Optional<Session> find(SessionId id, Deadline deadline) {
    Optional<Session> present = known(id);
    if (present.isPresent()) {
      return present;
    }
    long nanos = System.nanoTime();
    return read(id, deadline)
        .map(node -> SessionRef.of(id, node))
        .map(ref -> known.computeIfAbsent(id, absent -> elsewhere(ref, nanos)));
  }

  private Session elsewhere(SessionRef ref, long nanos) {
    Line line = link.lines().ofSession(ref, ref.ttl().plus(link.tick()));
    Session session = new Session(ref, line, link.tick(), nanos, OptionalInt.empty());
    abandoned.watch(session);
    return session;
  }

  private Optional<Node> read(SessionId id, Deadline deadline) {
    return link.verb(deadline, steps -> read(steps, id));
  }

  private Optional<Node> read(Steps steps, SessionId id) {
    Flight flight = steps.flight();
    flight.sync(paths.session(id));
    Answer<Node> node = flight.node(paths.session(id));
    flight.land();
    return node.value();
  }

  Renewed renew(SessionId id, Deadline deadline) {
    return inNameOf(id, deadline, this::renew, new Renewed.Over());
  }

  private Renewed renew(Session session, Steps steps) {
    long sentNanos = System.nanoTime();
    session.tries(sentNanos);
    SessionId id = session.ref().id();
    Flight flight = steps.flight();
    Answer<Stat> written =
        flight.write(paths.session(id), session.ref().data(), Flight.ANY_VERSION);
    Answer<Node> notices = flight.node(paths.notices(id));
    flight.land();
    if (written.value().isEmpty() || notices.value().isEmpty()) {
      over(session);
      return new Renewed.Over();
    }
    if (!session.renewed(sentNanos, System.nanoTime(), written.value().get().getVersion())) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "The renewal of the session %s at %s came late; whether it lives is known a tick (%d ms) later."
              .formatted(id, link.name(), link.tick().toMillis()),
          null);
    }
    List<Notice> told =
        Notices.of(id, notices.value().get().data()).revoked().stream()
            .<Notice>map(Notice.Revoked::new)
            .toList();
    return new Renewed.Alive(session.ref().ttl(), told, Optional.empty());
  }

  /** Renews a session and tells what hangs on its ZooKeeper session. */
  Optional<Resumed> resume(SessionId id, Deadline deadline) {
    return inNameOf(
        id,
        deadline,
        (session, steps) ->
            renew(session, steps) instanceof Renewed.Alive alive
                ? resumed(id, steps, alive.ttl())
                : Optional.empty(),
        Optional.empty());
  }

  private Optional<Resumed> resumed(SessionId id, Steps steps, Duration ttl) {
    Flight flight = steps.flight();
    Answer<Node> namespace = flight.node(paths.namespace());
    Answer<List<String>> nodes = flight.ephemerals(paths.locks());
    flight.land();
    List<RequestKey> requests = new ArrayList<>();
    for (String path : nodes.value().orElse(List.of())) {
      Optional<Place> place = Place.of(path);
      if (place.isPresent() && place.get().request().session().equals(id)) {
        paths
            .nameAt(path)
            .ifPresent(name -> requests.add(new RequestKey(name, place.get().request())));
      }
    }
    return namespaces
        .of(namespace.value())
        .map(present -> new Resumed(ttl, present.settings(), requests));
  }

  Ended end(SessionId id, EndIf when, Deadline deadline) {
    if (when == EndIf.LAPSED) {
      // ZooKeeper itself ends what has lapsed.
      return read(id, deadline).isPresent() ? Ended.ALIVE : Ended.OVER;
    }
    return inNameOf(id, deadline, this::close, Ended.OVER);
  }

  private Ended close(Session session, Steps steps) {
    if (!session.line().end(steps.deadline())) {
      Flight flight = steps.flight();
      flight.delete(paths.session(session.ref().id()), Flight.ANY_VERSION);
      flight.delete(paths.notices(session.ref().id()), Flight.ANY_VERSION);
      session.places().forEach(place -> flight.delete(place.path(), Flight.ANY_VERSION));
      flight.land();
    }
    over(session);
    return Ended.OVER;
  }

  void acknowledge(RequestId request, Deadline deadline) {
    link.verb(deadline, steps -> new Notices.Book(paths, steps).remove(request));
  }

  /** It is over, or not ours to keep: nothing is remembered of it. */
  void over(Session session) {
    known.remove(session.ref().id(), session);
    session.line().leave();
  }

  /** Lets go of all sessions, and ends none. */
  @Override
  public void close() {
    abandoned.close();
    known.values().forEach(session -> session.line().leave());
  }
}
