package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.spi.Deadline;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** A connection to the server, used by one thread at a time. */
final class Link implements AutoCloseable {

  private static final byte[] ONE_KEY = {'1'};

  /** What WAIT leaves of the time for its answer: servers look at timeouts ten times a second. */
  private static final int ANSWER_MILLIS = 250;

  private final Connection connection;
  private final Origin origin;
  private boolean sent;

  /**
   * What a connection leads to.
   *
   * @param incarnation of the server; empty while that is not known
   * @param syncs whether the server writes every change to its disk before it answers
   * @param breaks how often connections had broken before this one was made
   */
  record Origin(String incarnation, boolean syncs, long breaks) {}

  /** What a script answered, and how many replicas have acknowledged it. */
  record Answer(@Nullable Object value, long replicas) {}

  Link(Connection connection, Origin origin) {
    this.connection = connection;
    this.origin = origin;
  }

  Origin origin() {
    return origin;
  }

  /** Begins a verb. */
  void begin() {
    sent = false;
  }

  /** Returns whether the verb has sent anything that may have an effect. */
  boolean hasSent() {
    return sent;
  }

  /**
   * Runs a script.
   *
   * @param replicas how many have to acknowledge it before the deadline, 0 for none; the answer
   *     tells how many did
   */
  Answer run(
      Script script, byte[] namespace, List<byte[]> arguments, int replicas, Deadline deadline) {
    sent = true;
    try {
      return run(
          command(Command.EVALSHA, script.sha(), namespace, arguments, replicas),
          replicas,
          deadline);
    } catch (JedisNoScriptException unknown) {
      return run(
          command(Command.EVAL, script.text(), namespace, arguments, replicas), replicas, deadline);
    }
  }

  private CommandArguments command(
      Command command, String script, byte[] namespace, List<byte[]> arguments, int replicas) {
    CommandArguments all = new CommandArguments(command);
    all.add(script).add(ONE_KEY).add(namespace);
    all.add(origin.incarnation().getBytes(US_ASCII));
    all.add(flag(origin.syncs()));
    all.add(flag(replicas > 0));
    arguments.forEach(all::add);
    return all;
  }

  static byte[] flag(boolean set) {
    return new byte[] {(byte) (set ? '1' : '0')};
  }

  private Answer run(CommandArguments command, int replicas, Deadline deadline) {
    limit(deadline);
    connection.sendCommand(command);
    if (replicas == 0) {
      return new Answer(connection.getOne(), 0);
    }
    // With 0 it would wait for ever.
    int millis = Math.max(1, deadline.remainingMillis() - ANSWER_MILLIS);
    connection.sendCommand(Command.WAIT, Integer.toString(replicas), Integer.toString(millis));
    @Nullable RuntimeException failed = null;
    @Nullable Object value = null;
    try {
      value = connection.getOne();
    } catch (JedisDataException e) {
      failed = e;
    }
    limit(deadline);
    Object acknowledged = connection.getOne();
    if (failed != null) {
      throw failed;
    }
    return new Answer(value, acknowledged instanceof Long count ? count : 0);
  }

  /** Sends a command that is no script. */
  @Nullable Object ask(Command command, Deadline deadline, String... arguments) {
    limit(deadline);
    connection.sendCommand(command, arguments);
    return connection.getOne();
  }

  private void limit(Deadline deadline) {
    connection.setSoTimeout(Math.max(1, deadline.remainingMillis()));
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (RuntimeException e) {
      // Nothing depends on it: every script was done or not by itself.
    }
  }
}
