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
  private final long breaks;
  private Disk disk = Disk.UNKNOWN;
  private boolean sent;
  private boolean answered;

  /** What a script answered, and how many replicas have acknowledged it. */
  record Answer(@Nullable Object value, long replicas) {}

  /**
   * Takes over a connection.
   *
   * @param breaks how often connections had broken before this one was made
   */
  Link(Connection connection, long breaks) {
    this.connection = connection;
    this.breaks = breaks;
  }

  long breaks() {
    return breaks;
  }

  /** Asks what the server does with its disk, which may be set while it runs. */
  void askAboutDisk(Deadline deadline) {
    disk = Disk.of(this, deadline);
  }

  /** Begins a verb. */
  void begin() {
    sent = false;
    answered = false;
  }

  /** Returns whether the verb has had an answer of a script that may have had an effect. */
  boolean wasAnswered() {
    return answered;
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
    CommandArguments all =
        command(
            command,
            script,
            ONE_KEY,
            namespace,
            disk.process().getBytes(US_ASCII),
            flag(disk.syncs()),
            flag(replicas > 0));
    for (Object argument : arguments) {
      all.add(argument);
    }
    return all;
  }

  /** Of the ways to add an argument, only that of an object is there in all versions of jedis. */
  static CommandArguments command(Command command, Object... arguments) {
    CommandArguments all = new CommandArguments(command);
    for (Object argument : arguments) {
      all.add(argument);
    }
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
      answered = true;
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

  /** Sends commands that are no scripts, in one flight. What is refused is answered as such. */
  List<Object> ask(Deadline deadline, CommandArguments... commands) {
    limit(deadline);
    for (CommandArguments command : commands) {
      connection.sendCommand(command);
    }
    return connection.getMany(commands.length);
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
