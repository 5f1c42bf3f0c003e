package io.holdfast.zookeeper.session;

import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.CreatedWith;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.OwnNodes;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.connection.Connection;
import io.holdfast.zookeeper.connection.SessionOverException;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.NodesAbove;
import io.holdfast.zookeeper.layout.Notices;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.layout.SessionNode;
import io.holdfast.zookeeper.layout.StoredStay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Opens, renews and ends sessions. A session has two ephemeral nodes, which ZooKeeper removes in
 * one step with all of its requests. A renewal writes to the first; the second lists the revoked
 * requests.
 */
public final class Sessions implements AutoCloseable {

  /** Which of the writes that open a session, beside that of its node, checks the namespace. */
  private static final int NAMESPACE = 1;

  private final Ensemble ensemble;
  private final Paths paths;
  private final Namespaces namespaces;
  private final NamespaceWish wish;
  private final AbandonedSessions abandoned;

  /** The sessions that this client uses and that are not known to be over. */
  private final Map<SessionId, Session> known = new ConcurrentHashMap<>();

  public Sessions(Ensemble ensemble, Paths paths, Namespaces namespaces, NamespaceWish wish) {
    this.ensemble = ensemble;
    this.paths = paths;
    this.namespaces = namespaces;
    this.wish = wish;
    this.abandoned =
        new AbandonedSessions(paths, ensemble.times().tick(), this::isKnown, this::over);
  }

  public Opened open(SessionSpec spec, Deadline deadline) {
    long sentNanos = System.nanoTime();
    Namespace namespace =
        ensemble.verb(deadline, call -> namespaces.openFor(call, wish, spec.ttl()));
    Connection connection =
        ensemble.connections().forNewSession(ensemble.times().timeout(spec.ttl()));
    try {
      SessionNode node =
          ensemble.verb(
              connection, deadline, call -> make(call, connection, spec, namespace, sentNanos));
      if (!connection.isShared()) {
        begin(node, connection, namespace, sentNanos);
      }
      return new Opened(node.ttl(), namespace.settings(), Optional.empty());
    } catch (SessionOverException gone) {
      connection.disconnect();
      throw new BackendFailure(
          Effect.UNKNOWN,
          "The session %s at %s was over before it was opened."
              .formatted(spec.id(), ensemble.name()),
          gone);
    } catch (RuntimeException | Error e) {
      connection.disconnect();
      throw e;
    }
  }

  private void begin(SessionNode node, Connection connection, Namespace namespace, long sentNanos) {
    Session session =
        new Session(
            node,
            connection,
            ensemble.times(),
            heard(connection, node, sentNanos),
            OptionalInt.of(0),
            Optional.of(namespace));
    known.put(node.id(), session);
    abandoned.watch(session);
  }

  private SessionNode make(
      Call call, Connection connection, SessionSpec spec, Namespace namespace, long sentNanos) {
    ZooKeeper client = connection.connected(call.deadline());
    Duration timeout = Duration.ofMillis(client.getSessionTimeout());
    Duration ttl =
        connection.isShared() ? ensemble.times().sharedTtl(timeout) : ensemble.times().ttl(timeout);
    if (ttl.isNegative() || ttl.isZero()) {
      throw new BadRequestException(
          "The session timeout of the client for %s is %s ms, which is too short where a tick of the servers takes %s ms. Give the client a session timeout of ten ticks or more."
              .formatted(ensemble.name(), timeout.toMillis(), ensemble.times().tick().toMillis()));
    }
    SessionNode node =
        SessionNode.of(spec.id(), connection.identity(client), ttl, namespace, spec.process());
    if (connection.isShared()) {
      // If the answer is lost, the nodes live as long as the application's session, unless they are
      // deleted as those of a session that nothing renews.
      begin(node, connection, namespace, sentNanos);
    }
    Code code = create(call, node, namespace);
    if (code == Code.NONODE) {
      NodesAbove.make(call, paths.session(spec.id()));
      NodesAbove.make(call, paths.notices(spec.id()));
      code = create(call, node, namespace);
    }
    if (code != Code.OK) {
      // Only for an unused id: otherwise a late copy would take it from its client.
      throw new BackendFailure(
          Effect.UNKNOWN,
          "The session %s at %s was opened before (%s)."
              .formatted(spec.id(), ensemble.name(), code),
          null);
    }
    return node;
  }

  /**
   * From when on the leader has certainly counted: from the beginning or the return of a ZooKeeper
   * session that is only used here, for which it was asked.
   */
  private Session.Renewal heard(Connection connection, SessionNode node, long nanos) {
    SessionTimes times = ensemble.times();
    if (!connection.isShared()) {
      return new Session.Renewal(nanos, nanos, times.timeout(node.ttl()));
    }
    Duration timeout = times.longestTimeout(node.ttl());
    return new Session.Renewal(nanos - times.sharedLag(timeout).toNanos(), nanos, timeout);
  }

  private Code create(Call call, SessionNode node, Namespace namespace) {
    Pipeline pipeline = call.pipeline();
    Answer<CreatedWith> made =
        pipeline.createWith(
            Op.create(
                paths.session(node.id()), node.data(), ensemble.rights(), CreateMode.EPHEMERAL),
            CreateMode.EPHEMERAL,
            List.of(
                Op.create(
                    paths.notices(node.id()),
                    Notices.NONE.encoded(),
                    ensemble.rights(),
                    CreateMode.EPHEMERAL),
                Op.check(paths.namespace(namespace.clockMicros()), Pipeline.ANY_VERSION)));
    pipeline.awaitAnswers();
    if (made.anyhow().filter(all -> all.isFailed(NAMESPACE)).isPresent()) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "The namespace at %s was just replaced. If that is told again and again, somebody has removed the node %s: then remove %s with it, and what is below %s."
              .formatted(
                  ensemble.name(),
                  paths.namespace(namespace.clockMicros()),
                  paths.namespace(),
                  paths.sessions()),
          null);
    }
    return made.code();
  }

  /**
   * Runs a verb over the connection of a session. Returns {@code ifOver} if the session is over.
   */
  public <T> T inNameOf(
      SessionId id, Deadline deadline, BiFunction<Session, Call, T> body, T ifOver) {
    Optional<Session> session = find(id, deadline);
    if (session.isEmpty()) {
      return ifOver;
    }
    try {
      return ensemble.verb(
          session.get().connection(), deadline, call -> body.apply(session.get(), call));
    } catch (SessionOverException gone) {
      over(session.get());
      return ifOver;
    }
  }

  /** Returns a session that this client speaks for. */
  public Optional<Session> known(SessionId id) {
    return Optional.ofNullable(known.get(id));
  }

  private boolean isKnown(Session session) {
    return known.get(session.node().id()) == session;
  }

  private Optional<Session> find(SessionId id, Deadline deadline) {
    Optional<Session> present = known(id);
    if (present.isPresent()) {
      return present;
    }
    long nanos = System.nanoTime();
    return read(id, deadline)
        .map(node -> SessionNode.of(id, node))
        .map(node -> known.computeIfAbsent(id, absent -> elsewhere(node, nanos)));
  }

  private Session elsewhere(SessionNode node, long nanos) {
    SessionTimes times = ensemble.times();
    Connection connection =
        ensemble.connections().ofSession(node.identity(), times.timeout(node.ttl()));
    Session session =
        new Session(
            node,
            connection,
            times,
            heard(connection, node, nanos),
            OptionalInt.empty(),
            Optional.empty());
    abandoned.watch(session);
    return session;
  }

  private Optional<Node> read(SessionId id, Deadline deadline) {
    return ensemble.verb(deadline, call -> read(call, id));
  }

  private Optional<Node> read(Call call, SessionId id) {
    Pipeline pipeline = call.pipeline();
    pipeline.sync(paths.session(id));
    Answer<Node> node = pipeline.node(paths.session(id));
    pipeline.awaitAnswers();
    return node.value();
  }

  public Renewed renew(SessionId id, Deadline deadline) {
    return inNameOf(id, deadline, this::renew, new Renewed.Over());
  }

  private Renewed renew(Session session, Call call) {
    long sentNanos = System.nanoTime();
    session.tries(sentNanos);
    SessionId id = session.node().id();
    Pipeline pipeline = call.pipeline();
    Answer<Stat> written =
        pipeline.write(paths.session(id), session.node().data(), Pipeline.ANY_VERSION);
    Answer<Node> notices = pipeline.node(paths.notices(id));
    pipeline.awaitAnswers();
    if (written.value().isEmpty() || notices.value().isEmpty()) {
      over(session);
      return new Renewed.Over();
    }
    Session.Renewal renewal =
        new Session.Renewal(sentNanos, System.nanoTime(), pipeline.sessionTimeout());
    Duration ttl = session.renewed(renewal, written.value().get().getVersion());
    if (ttl.isNegative() || ttl.isZero()) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "The renewal of the session %s at %s came late; whether it lives is known a tick (%s ms) later."
              .formatted(id, ensemble.name(), ensemble.times().tick().toMillis()),
          null);
    }
    StoreClock clock = new StoreClock();
    clock.see(written.value().get());
    Node node = notices.value().get();
    List<Notice> told =
        Notices.of(id, node.data()).told().entrySet().stream()
            .<Notice>map(
                notice ->
                    new Notice.Revoked(
                        notice.getKey(), left(notice.getValue(), node.stat(), clock)))
            .toList();
    return new Renewed.Alive(ttl, told, Optional.empty());
  }

  /**
   * A notice that cannot be judged leaves no time: the end of its stay in the queue may be near.
   */
  private static Duration left(List<StoredStay> notices, Stat stat, StoreClock clock) {
    return notices.stream()
        .map(
            notice ->
                clock
                    .since(notice.began(stat))
                    .map(passed -> notice.length().minus(passed))
                    .filter(left -> !left.isNegative())
                    .orElse(Duration.ZERO))
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /** Renews a session and tells what hangs on its ZooKeeper session. */
  public Optional<Resumed> resume(SessionId id, Deadline deadline) {
    return inNameOf(
        id,
        deadline,
        (session, call) ->
            renew(session, call) instanceof Renewed.Alive alive
                ? resumed(id, call, alive.ttl())
                : Optional.empty(),
        Optional.empty());
  }

  private Optional<Resumed> resumed(SessionId id, Call call, Duration ttl) {
    Pipeline pipeline = call.pipeline();
    Answer<Node> namespace = pipeline.node(paths.namespace());
    Answer<List<String>> buckets = pipeline.children(paths.locks());
    pipeline.awaitAnswers();
    List<RequestKey> requests =
        new ArrayList<>(
            new StayList(paths)
                .of(call, id).stream()
                    .filter(listed -> listed.kind() == StayList.Kind.DELAY)
                    .map(StayList.Listed::key)
                    .toList());
    for (String path : own(call, buckets.value().orElse(List.of()))) {
      Optional<RequestNode> place = RequestNode.of(path);
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

  /** Asks for each bucket, since one answer has room for some thousands of paths only. */
  private List<String> own(Call call, List<String> buckets) {
    Pipeline pipeline = call.pipeline();
    List<OwnNodes> nodes =
        buckets.stream().map(bucket -> pipeline.ownNodes(paths.bucket(bucket))).toList();
    pipeline.awaitAnswers();
    return nodes.stream().flatMap(found -> found.paths().stream()).distinct().toList();
  }

  public Ended end(SessionId id, EndIf when, Deadline deadline) {
    if (when == EndIf.LAPSED) {
      // ZooKeeper itself ends what has lapsed.
      return read(id, deadline).isPresent() ? Ended.ALIVE : Ended.OVER;
    }
    return inNameOf(id, deadline, this::close, Ended.OVER);
  }

  /** A request with a lock-delay stays for it: a client that gives that back does so before. */
  private Ended close(Session session, Call call) {
    if (!session.connection().end(call.deadline())) {
      Pipeline pipeline = call.pipeline();
      pipeline.delete(paths.session(session.node().id()), Pipeline.ANY_VERSION);
      pipeline.delete(paths.notices(session.node().id()), Pipeline.ANY_VERSION);
      session
          .placesWithoutDelay()
          .forEach(place -> pipeline.delete(place.creation().place().path(), place.version()));
      pipeline.awaitAnswers();
    }
    over(session);
    return Ended.OVER;
  }

  public void acknowledge(RequestId request, Deadline deadline) {
    ensemble.verb(deadline, call -> new NoticeWriter(paths, call).remove(request));
  }

  /** Forgets a session that is over, or that another client keeps alive. */
  public void over(Session session) {
    known.remove(session.node().id(), session);
    session.connection().disconnect();
  }

  /** Disconnects from all sessions, and ends none. */
  @Override
  public void close() {
    abandoned.close();
    known.values().forEach(session -> session.connection().disconnect());
  }
}
