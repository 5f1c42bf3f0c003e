package io.holdfast.redis.connection;

import static io.holdfast.redis.script.Arguments.ascii;

import io.holdfast.redis.script.Script;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A script that answers with the mark of its call, in front of what it answers otherwise. The
 * connections of an application's client are used by others, too: what one of them has not read is
 * the answer that the next one reads.
 *
 * @param digest the name under which the server has it
 */
record MarkedScript(String digest, String text) {

  /** The mark is the last argument, which the script itself does not see. */
  private static final String FORM =
      """
      local mark = table.remove(ARGV)
      local function answer()
      %s
      end
      return {mark, (answer())}
      """;

  private static final PerScript<MarkedScript> MADE = new PerScript<>(MarkedScript::made);

  private static final AtomicLong CALLS = new AtomicLong(ThreadLocalRandom.current().nextLong());

  /** The answer of the script otherwise. */
  record Answer(@Nullable Object value) {}

  static MarkedScript of(Script script) {
    return MADE.of(script);
  }

  private static MarkedScript made(Script script) {
    String text = FORM.replace("%s", script.text());
    return new MarkedScript(Script.digest(text), text);
  }

  static byte[] newMark() {
    return ascii(CALLS.incrementAndGet());
  }

  /**
   * Returns the answer to the call with a mark; empty if it is that to another one.
   *
   * @throws JedisDataException if it is an error that the script returns
   */
  static Optional<Answer> answer(@Nullable Object reply, byte[] mark) {
    if (!(reply instanceof List<?> parts
        && !parts.isEmpty()
        && parts.get(0) instanceof byte[] first
        && Arrays.equals(first, mark))) {
      return Optional.empty();
    }
    @Nullable Object value = parts.size() > 1 ? parts.get(1) : null; // An array ends before nil.
    if (value instanceof JedisDataException refusal) {
      throw refusal;
    }
    return Optional.of(new Answer(value));
  }
}
