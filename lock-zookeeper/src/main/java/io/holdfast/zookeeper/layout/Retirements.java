package io.holdfast.zookeeper.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.Retirement;
import io.holdfast.record.Retirement.InUse;
import io.holdfast.record.Retirement.LiveSession;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.support.NamespaceText;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.connection.SessionTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * Retires the nodes of an earlier version, in one write. Its nodes go with their sessions, but for
 * those above them, and those that stay for a time, which are the same in the present layout. The
 * write removes the node above the sessions, which ZooKeeper refuses while there is one, and lets
 * the namespace's node say the present version: from then on each grab of a client of an earlier
 * version fails, since it reads that node after its own was created. Numbers go on from the same
 * node.
 *
 * @param times tells for how long a session lives at most
 */
public record Retirements(Paths paths, String where, SessionTimes times) {

  /** How many live sessions are told. */
  private static final int TOLD_MAX = 10;

  /** How often sessions that come and go at the same time may be in the way. */
  private static final int TRIES = 5;

  private static final byte[] NOTHING = {};

  /** Retires them, in a verb. */
  public Retirement retire(Call call) {
    int former = Namespace.PROTOCOL - 1;
    for (int tries = 1; tries <= TRIES; tries++) {
      Optional<Node> node = read(call);
      if (node.isEmpty()) {
        return new Retirement.Nothing();
      }
      Namespace namespace = Namespace.of(node.get(), paths.namespace(), where);
      int protocol = namespace.settings().protocol();
      if (protocol == Namespace.PROTOCOL && call.effect() == Effect.UNKNOWN) {
        return new Retirement.Retired(former); // An earlier try has done it.
      }
      NamespaceSettings.requireOld(protocol, Namespace.PROTOCOL, where);
      former = protocol;
      List<LiveSession> live = live(call);
      if (!live.isEmpty()) {
        return new InUse(protocol, live);
      }
      if (write(call, namespace, node.get().stat().getVersion())) {
        return new Retirement.Retired(protocol);
      }
    }
    throw new BackendFailure(
        call.effect(), "Sessions at %s come and go. Try again.".formatted(where), null);
  }

  private Optional<Node> read(Call call) {
    Pipeline pipeline = call.pipeline();
    pipeline.sync(paths.namespace());
    Answer<Node> node = pipeline.node(paths.namespace());
    pipeline.awaitAnswers();
    return node.value();
  }

  private List<LiveSession> live(Call call) {
    Pipeline pipeline = call.pipeline();
    Answer<List<String>> names = pipeline.children(paths.sessions());
    pipeline.awaitAnswers();
    List<SessionId> ids =
        names.value().orElse(List.of()).stream().limit(TOLD_MAX).map(SessionId::new).toList();
    Pipeline reads = call.pipeline();
    List<Answer<Node>> nodes = ids.stream().map(id -> reads.node(paths.session(id))).toList();
    reads.awaitAnswers();
    List<LiveSession> live = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      SessionId id = ids.get(i);
      nodes.get(i).value().ifPresent(node -> live.add(session(id, node)));
    }
    return live;
  }

  private LiveSession session(SessionId id, Node node) {
    Map<String, String> lines = NamespaceText.lines(new String(node.data(), UTF_8));
    return new LiveSession(
        id,
        new ProcessIdentity(lines.getOrDefault("process", "unknown")),
        times.longestTimeout(SessionNode.of(id, node).ttl()));
  }

  /** Returns false if a session, or another namespace, is in the way. */
  private boolean write(Call call, Namespace namespace, int version) {
    Pipeline look = call.pipeline();
    Answer<Node> above = look.node(paths.sessions());
    look.awaitAnswers();
    List<Op> ops = new ArrayList<>();
    if (!above.isOk()) {
      // Fails if it has come in between.
      ops.add(Op.create(paths.sessions(), NOTHING, call.rights(), CreateMode.PERSISTENT));
    }
    ops.add(Op.delete(paths.sessions(), Pipeline.ANY_VERSION));
    NamespaceText present = namespace.asPresent();
    ops.add(Op.setData(paths.namespace(), present.encode().getBytes(UTF_8), version));
    ops.add(
        Op.create(
            paths.namespace(present.clockMicros()), NOTHING, call.rights(), CreateMode.PERSISTENT));
    Pipeline pipeline = call.pipeline();
    Answer<List<OpResult>> written = pipeline.writeAll(ops);
    pipeline.awaitAnswers();
    return written.code() == Code.OK;
  }
}
