package io.holdfast.zookeeper.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are sent one after the other over one connection without waiting for answers, and
 * so cost one round trip. The servers answer them in that order: a reading after a write, or after
 * {@link #sync}, is not older.
 */
public final class Pipeline {

  /** Any version. */
  public static final int ANY_VERSION = -1;

  private final Call call;
  private final List<Answer<?>> answers = new ArrayList<>();
  private final List<Answer<?>> writes = new ArrayList<>();

  /** Counts the answers that have not come, and one more until all requests are sent. */
  private final AtomicInteger outstanding = new AtomicInteger(1);

  private final CountDownLatch allAnswered = new CountDownLatch(1);
  private @Nullable ZooKeeper client;

  Pipeline(Call call) {
    this.call = call;
  }

  /**
   * Creates a node. A server may answer with a node that another connection of the session has
   * made: then the answer to this request is lost.
   */
  public Answer<CreatedNode> create(String path, byte[] data, CreateMode mode) {
    Answer<CreatedNode> answer = next();
    write(answer)
        .create(
            path,
            data,
            call.rights(),
            mode,
            (code, asked, context, made, stat) ->
                answer.complete(
                    made == null || CreatedNode.isNamed(made, path, mode)
                        ? code
                        : Code.CONNECTIONLOSS.intValue(),
                    new CreatedNode(made, stat)),
            null);
    return answer;
  }

  public Answer<Stat> write(String path, byte[] data, int version) {
    Answer<Stat> answer = next();
    write(answer)
        .setData(
            path, data, version, (code, asked, context, stat) -> answer.complete(code, stat), null);
    return answer;
  }

  public Answer<Boolean> delete(String path, int version) {
    Answer<Boolean> answer = next();
    write(answer)
        .delete(path, version, (code, asked, context) -> answer.complete(code, true), null);
    return answer;
  }

  /**
   * Does all of the writes or none. The first of them creates a node, whose name is told as by
   * {@link #create}.
   */
  public Answer<CreatedWith> createWith(Op create, CreateMode mode, List<Op> others) {
    List<Op> ops = new ArrayList<>(List.of(create));
    ops.addAll(others);
    Answer<CreatedWith> answer = next();
    write(answer)
        .multi(
            ops,
            (code, asked, context, results) -> {
              CreatedWith made =
                  results == null ? null : CreatedWith.of(results, create, mode, call.chroot());
              boolean isAnswer = code != 0 || (made != null && made.path().isPresent());
              answer.complete(isAnswer ? code : Code.CONNECTIONLOSS.intValue(), made);
            },
            null);
    return answer;
  }

  /** Does all of the writes or none. */
  public Answer<List<OpResult>> writeAll(List<Op> ops) {
    Answer<List<OpResult>> answer = next();
    write(answer)
        .multi(ops, (code, asked, context, results) -> answer.complete(code, results), null);
    return answer;
  }

  /**
   * Makes the server catch up with the leader. Is no step of a verb: it changes nothing that a
   * client reads, and the reading after it is a step.
   */
  public void sync(String path) {
    Answer<Boolean> answer = next();
    connected().sync(path, (code, asked, context) -> answer.complete(code, true), null);
  }

  public Answer<List<String>> children(String path) {
    return children(path, null);
  }

  /** Lists a node's children. The watcher is told when one comes or goes. */
  public Answer<List<String>> children(String path, @Nullable Watcher watcher) {
    Answer<List<String>> answer = next();
    read()
        .getChildren(
            path,
            watcher,
            (code, asked, context, names, stat) -> answer.complete(code, names),
            null);
    return answer;
  }

  /** Reads a node's metadata, for example the number of its children, without their names. */
  public Answer<Stat> stat(String path) {
    return stat(path, null);
  }

  /** Reads the same. The watcher is told when the node is created, changes or is removed. */
  public Answer<Stat> stat(String path, @Nullable Watcher watcher) {
    Answer<Stat> answer = next();
    read().exists(path, watcher, (code, asked, context, stat) -> answer.complete(code, stat), null);
    return answer;
  }

  public Answer<Node> node(String path) {
    return node(path, null);
  }

  /** Reads a node. If it exists, the watcher is told when it changes or is removed. */
  public Answer<Node> node(String path, @Nullable Watcher watcher) {
    Answer<Node> answer = next();
    read()
        .getData(
            path,
            watcher,
            (code, asked, context, data, stat) -> answer.complete(code, new Node(data, stat)),
            null);
    return answer;
  }

  /** Reads all of the nodes in one atomic step. */
  public Answer<List<OpResult>> readAll(List<Op> ops) {
    Answer<List<OpResult>> answer = next();
    if (ops.isEmpty()) {
      answer.complete(0, List.of());
    } else {
      // Each read has a code of its own, and the first that is not well is told for all.
      read()
          .multi(
              ops,
              (code, asked, context, results) ->
                  answer.complete(results == null ? code : 0, results),
              null);
    }
    return answer;
  }

  /**
   * Finds the session's own nodes below another. Where there is a chroot, that is put before the
   * path here, and taken from the paths found: unlike all other calls of the client library, this
   * one does neither. A library that did would find them the other way.
   */
  public OwnNodes ownNodes(String path) {
    String chroot = call.chroot();
    return new OwnNodes(
        chroot.isEmpty()
            ? List.of(ephemerals("", path))
            : List.of(ephemerals("", path), ephemerals(chroot, path)));
  }

  private Answer<List<String>> ephemerals(String above, String path) {
    Answer<List<String>> answer = next();
    read()
        .getEphemerals(
            above + path,
            (code, context, paths) ->
                answer.complete(
                    code,
                    paths == null
                        ? null
                        : paths.stream().map(found -> found.substring(above.length())).toList()),
            null);
    return answer;
  }

  private ZooKeeper write(Answer<?> answer) {
    ZooKeeper asked = read();
    call.writes();
    writes.add(answer);
    return asked;
  }

  private ZooKeeper read() {
    ZooKeeper asked = connected();
    call.beforeStep();
    return asked;
  }

  /** Returns the ZooKeeper session whose ephemeral nodes are created here. */
  public long session() {
    return connected().getSessionId();
  }

  /** Returns the session timeout that the server has which is asked here. */
  public Duration sessionTimeout() {
    return Duration.ofMillis(connected().getSessionTimeout());
  }

  private ZooKeeper connected() {
    if (client == null) {
      client = call.connected();
    }
    return client;
  }

  private <T> Answer<T> next() {
    Answer<T> answer = new Answer<>(this::answered);
    outstanding.incrementAndGet();
    answers.add(answer);
    return answer;
  }

  /** So that a pipeline wakes its caller once. */
  private void answered() {
    if (outstanding.decrementAndGet() == 0) {
      allAnswered.countDown();
    }
  }

  /** Waits until all answers have come. Only then may an {@link Answer} be read. */
  public void awaitAnswers() {
    if (client != null) {
      answered();
      call.await(client, allAnswered, answers, writes);
    }
  }
}
