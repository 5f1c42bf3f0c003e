package io.holdfast.redis.connection;

import static io.holdfast.redis.script.Arguments.ascii;
import static io.holdfast.redis.script.Arguments.flag;
import static io.holdfast.redis.script.Arguments.utf8;

import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** A connection to the server, used by one thread at a time. */
final class ServerConnection implements AutoCloseable {

  private static final RawArgument ONE_KEY = new RawArgument(ascii(1));
  private static final RawArgument YES = new RawArgument(flag(true));
  private static final RawArgument NO = new RawArgument(flag(false));

  /** The names under which the server has the scripts. */
  private static final PerScript<RawArgument> SHAS =
      new PerScript<>(script -> new RawArgument(ascii(script.sha())));

  /** How much of the time WAIT leaves for its answer: servers check timeouts ten times a second. */
  private static final int ANSWER_MILLIS = 250;

  /** Of a short time it leaves one part in so many: most is for the replicas. */
  private static final int ANSWER_PART = 4;

  private final Connection connection;
  private final long breaks;
  private Durability durability = Durability.UNKNOWN;
  private RawArgument durableProcess = new RawArgument(ascii(durability.process()));
  private int limitMillis;
  private long heardNanos = System.nanoTime();
  private boolean sent;
  private boolean answered;

  /** The answer of a script, and the number of replicas that have acknowledged it. */
  record Answer(@Nullable Object value, long replicas) {}

  /**
   * Takes over a connection.
   *
   * @param breaks how many connections had broken before this one was opened
   */
  ServerConnection(Connection connection, long breaks) {
    this.connection = connection;
    this.breaks = breaks;
  }

  long breaks() {
    return breaks;
  }

  /**
   * Begins a new connection: tells the server whose it is, and asks for the settings of the disk.
   */
  void introduce(Deadline deadline) {
    use(Durability.of(this, deadline, name()));
  }

  private static CommandArguments name() {
    return Commands.command(Command.CLIENT, "SETNAME", "holdfast");
  }

  /** Begins a new connection that runs no scripts. */
  void introduceOnly(Deadline deadline) {
    List<?> unused = ask(deadline, List.of(Commands.command(Command.PING), name()));
  }

  /** Asks for the settings of the disk, which may change while the server runs. */
  void readDurability(Deadline deadline) {
    use(Durability.of(this, deadline));
  }

  private void use(Durability found) {
    durability = found;
    durableProcess = new RawArgument(ascii(durability.process()));
  }

  /** Begins a verb. */
  void begin() {
    sent = false;
    answered = false;
  }

  /** Notes that the server has just answered. */
  void heard() {
    heardNanos = System.nanoTime();
  }

  /** Returns how long nothing was heard of the server. */
  long idleNanos() {
    return System.nanoTime() - heardNanos;
  }

  /** Returns whether the server answers by the deadline; a refusal is an answer, too. */
  boolean answers(Deadline deadline) {
    try {
      return !ask(deadline, List.of(Commands.command(Command.PING))).isEmpty();
    } catch (JedisException e) {
      return false;
    }
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
   * @param replicas how many replicas have to acknowledge it before the deadline; 0 for none. The
   *     answer has the number that did
   */
  Answer run(
      Script script,
      RawArgument namespace,
      List<byte[]> arguments,
      int replicas,
      Deadline deadline) {
    sent = true;
    try {
      return run(
          command(Command.EVALSHA, SHAS.of(script), namespace, arguments, replicas),
          replicas,
          deadline);
    } catch (JedisNoScriptException unknown) {
      return run(
          command(
              Command.EVAL, new RawArgument(utf8(script.text())), namespace, arguments, replicas),
          replicas,
          deadline);
    }
  }

  private CommandArguments command(
      Command command,
      RawArgument script,
      RawArgument namespace,
      List<byte[]> arguments,
      int replicas) {
    // Without an array of them, as each verb comes here.
    CommandArguments all =
        new CommandArguments(command)
            .add((Object) script)
            .add((Object) ONE_KEY)
            .add((Object) namespace)
            .add((Object) durableProcess)
            .add((Object) (durability.syncs() ? YES : NO))
            .add((Object) (replicas > 0 ? YES : NO));
    for (byte[] argument : arguments) {
      all.add((Object) new RawArgument(argument));
    }
    return all;
  }

  private Answer run(CommandArguments command, int replicas, Deadline deadline) {
    limit(deadline);
    connection.sendCommand(command);
    if (replicas == 0) {
      return new Answer(connection.getOne(), 0);
    }
    int millis = acknowledgeWithin(deadline.remainingMillis());
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

  /** Returns how many of the remaining milliseconds replicas have; 0 would be for ever. */
  static int acknowledgeWithin(int remainingMillis) {
    return Math.max(1, remainingMillis - Math.min(ANSWER_MILLIS, remainingMillis / ANSWER_PART));
  }

  /** Sends commands that are not scripts, in one round trip. Answers contain refusals as errors. */
  List<@Nullable Object> ask(Deadline deadline, List<CommandArguments> commands) {
    limit(deadline);
    return Commands.ask(connection, commands);
  }

  private void limit(Deadline deadline) {
    int millis = Math.max(1, deadline.remainingMillis());
    if (millis != limitMillis) { // Most calls have the same time, and the socket knows it.
      connection.setSoTimeout(millis);
      limitMillis = millis;
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (RuntimeException e) {
      // Ignored: every script was executed as a whole or not at all.
    }
  }
}
