package io.holdfast.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are sent one after the other over one connection without waiting for answers, and
 * so cost one round trip. The servers answer them in that order: what is read after a write, or
 * after {@link #sync}, is not older.
 */
final class Flight {

  /** Whatever the version. */
  static final int ANY_VERSION = -1;

  private final Steps steps;
  private final List<Answer<?>> answers = new ArrayList<>();
  private final List<Answer<?>> writes = new ArrayList<>();
  private @Nullable ZooKeeper client;

  Flight(Steps steps) {
    this.steps = steps;
  }

  Answer<Created> create(String path, byte[] data, CreateMode mode) {
    Answer<Created> answer = next();
    write(answer)
        .create(
            path,
            data,
            steps.rights(),
            mode,
            (code, asked, context, made, stat) -> answer.come(code, new Created(made, stat)),
            null);
    return answer;
  }

  Answer<Stat> write(String path, byte[] data, int version) {
    Answer<Stat> answer = next();
    write(answer)
        .setData(
            path, data, version, (code, asked, context, stat) -> answer.come(code, stat), null);
    return answer;
  }

  Answer<Boolean> delete(String path, int version) {
    Answer<Boolean> answer = next();
    write(answer).delete(path, version, (code, asked, context) -> answer.come(code, true), null);
    return answer;
  }

  /** Does all or nothing. */
  Answer<List<OpResult>> writeAll(List<Op> ops) {
    Answer<List<OpResult>> answer = next();
    write(answer).multi(ops, (code, asked, context, results) -> answer.come(code, results), null);
    return answer;
  }

  /** Brings the server up to what the leader has. */
  void sync(String path) {
    Answer<Boolean> answer = next();
    read().sync(path, (code, asked, context) -> answer.come(code, true), null);
  }

  Answer<List<String>> children(String path) {
    Answer<List<String>> answer = next();
    read()
        .getChildren(
            path, false, (code, asked, context, names, stat) -> answer.come(code, names), null);
    return answer;
  }

  /** Asks how many children there are, and not for their names. */
  Answer<Stat> stat(String path) {
    Answer<Stat> answer = next();
    read().exists(path, false, (code, asked, context, stat) -> answer.come(code, stat), null);
    return answer;
  }

  Answer<Node> node(String path) {
    return node(path, null);
  }

  /** Reads a node, and has the watcher told of its end if it is there. */
  Answer<Node> node(String path, @Nullable Watcher watcher) {
    Answer<Node> answer = next();
    read()
        .getData(
            path,
            watcher,
            (code, asked, context, data, stat) -> answer.come(code, new Node(data, stat)),
            null);
    return answer;
  }

  /** Reads all of one moment. */
  Answer<List<OpResult>> readAll(List<Op> ops) {
    Answer<List<OpResult>> answer = next();
    if (ops.isEmpty()) {
      answer.come(0, List.of());
    } else {
      // Each read has a code of its own, and the first that is not well is told for all.
      read()
          .multi(
              ops,
              (code, asked, context, results) -> answer.come(results == null ? code : 0, results),
              null);
    }
    return answer;
  }

  /** Returns the paths of the session's own nodes below another. */
  Answer<List<String>> ephemerals(String path) {
    Answer<List<String>> answer = next();
    read().getEphemerals(path, (code, context, paths) -> answer.come(code, paths), null);
    return answer;
  }

  private ZooKeeper write(Answer<?> answer) {
    ZooKeeper asked = read();
    steps.writes();
    writes.add(answer);
    return asked;
  }

  private ZooKeeper read() {
    if (client == null) {
      client = steps.connected();
    }
    steps.beforeStep();
    return client;
  }

  private <T> Answer<T> next() {
    Answer<T> answer = new Answer<>();
    answers.add(answer);
    return answer;
  }

  /** Returns when all answers have come. */
  void land() {
    Optional.ofNullable(client).ifPresent(asked -> steps.await(asked, answers, writes));
  }
}
