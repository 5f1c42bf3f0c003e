package io.holdfast.zookeeper.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.CreatedNode;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.NodesAbove;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Which requests have nodes that outlive their sessions: a node for each, named {@code
 * KIND-SERIAL}, whose data is the lock's name. It is made before the request's node, and removed
 * after it, so that a sweep finds all of them without reading every queue.
 */
public record StayList(Paths paths) {

  /** The servers remove what was empty for a while. */
  private static final int TRIES = 5;

  private static final byte[] NOTHING = {};

  /** Why a request's node outlives its session. */
  public enum Kind {
    /** It has asked for a lock-delay. */
    DELAY('d'),
    /** It was given back, and stays. */
    TOMBSTONE('t');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }
  }

  /** A request in the list. */
  public record Listed(RequestKey key, Kind kind) {}

  private String path(RequestId request, Kind kind) {
    return paths.stays(request.session()) + "/" + kind.letter + "-" + request.serial();
  }

  /** Adds a request, unless it is there. */
  public void add(Call call, RequestKey key, Kind kind) {
    String path = path(key.request(), kind);
    String list = paths.stays(key.request().session());
    for (int tries = 1; tries <= TRIES; tries++) {
      Pipeline pipeline = call.pipeline();
      if (tries > 1) {
        pipeline.create(list, NOTHING, CreateMode.CONTAINER);
      }
      Answer<CreatedNode> made = pipeline.create(path, key.name().bytes(), CreateMode.PERSISTENT);
      pipeline.awaitAnswers();
      if (made.code() != Code.NONODE) {
        return;
      }
      NodesAbove.make(call, list);
    }
    throw new BackendFailure(
        call.effect(), "The node %s was removed again and again.".formatted(list), null);
  }

  /** Returns whether a request is there: it may have a node that hangs on no session. */
  public boolean has(Call call, RequestId request, Kind kind) {
    Pipeline pipeline = call.pipeline();
    Answer<Stat> listed = pipeline.stat(path(request, kind));
    pipeline.awaitAnswers();
    return listed.isOk();
  }

  /** Removes a request, if it is there. */
  public void remove(Call call, RequestId request, Kind kind) {
    Pipeline pipeline = call.pipeline();
    pipeline.delete(path(request, kind), Pipeline.ANY_VERSION);
    pipeline.awaitAnswers();
  }

  /** Removes the request of a node that has left or stays, if it has asked for a lock-delay. */
  public void removeDelay(Call call, RequestNode place) {
    if (place.hasDelay()) {
      remove(call, place.request(), Kind.DELAY);
    }
  }

  /** Removes a request that has left before it held, if it has asked for a lock-delay. */
  public void removeDelay(Call call, Request request) {
    if (request.hasLockDelay()) {
      remove(call, request.id(), Kind.DELAY);
    }
  }

  /** Returns those of a session. */
  public List<Listed> of(Call call, SessionId session) {
    Pipeline listing = call.pipeline();
    Answer<List<String>> names = listing.children(paths.stays(session));
    listing.awaitAnswers();
    List<String> nodes = names.value().orElse(List.of());
    Pipeline reading = call.pipeline();
    List<Answer<Node>> read =
        nodes.stream().map(name -> reading.node(paths.stays(session) + "/" + name)).toList();
    reading.awaitAnswers();
    List<Listed> listed = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      String name = nodes.get(i);
      read.get(i).value().flatMap(node -> listed(session, name, node)).ifPresent(listed::add);
    }
    return listed;
  }

  private static Optional<Listed> listed(SessionId session, String name, Node node) {
    for (Kind kind : Kind.values()) {
      if (name.startsWith(kind.letter + "-")) {
        RequestId request = new RequestId(session, Long.parseLong(name.substring(2)));
        LockName lock = new LockName(new String(node.data(), UTF_8));
        return Optional.of(new Listed(new RequestKey(lock, request), kind));
      }
    }
    return Optional.empty();
  }
}
