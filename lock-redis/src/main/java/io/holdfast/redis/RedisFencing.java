package io.holdfast.redis;

import io.holdfast.LockMode;
import io.holdfast.Sequencer;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.StaleTokenException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Lets Redis itself refuse a stale holder: a script of the application runs only if no greater
 * token of the lock was seen before. The check, the remembering and the script are one atomic step.
 * The lock may be in another store.
 *
 * <pre>{@code
 * fencing.eval(
 *     grant.sequencer(), // throws StaleTokenException if it is stale
 *     "return redis.call('SET', KEYS[1], ARGV[1])",
 *     List.of("orders:42"),
 *     List.of("shipped"));
 * }</pre>
 *
 * <p>The tokens seen of a lock are in a key of their own, in the server that has the application's
 * keys, so both are lost together or not at all. That key must not be evicted. Thread-safe if the
 * jedis client is.
 */
public final class RedisFencing {

  /** The beginning of the names of the keys, unless another one is given. */
  public static final String PREFIX_DEFAULT = "holdfast-fence:";

  private static final String STALE = "HOLDFASTSTALE";

  /**
   * Stands before the script of the application, which does not see its key and arguments. Tokens
   * exceed what a number of Lua can tell apart, so they are compared as texts of one length.
   */
  private static final String GUARD =
      """
      do
        local token = table.remove(ARGV)
        local mode = table.remove(ARGV)
        local fence = table.remove(KEYS)
        local marks = redis.call('HMGET', fence, 'exclusive', 'shared')
        local exclusive = marks[1] or ''
        local shared = marks[2] or ''
        if token < exclusive or (mode == 'exclusive' and token <= shared) then
          return redis.error_reply('HOLDFASTSTALE ' .. exclusive .. ' ' .. shared)
        end
        if (mode == 'exclusive' and token > exclusive) or (mode == 'shared' and token > shared) then
          redis.call('HSET', fence, mode, token)
        end
      end
      """;

  private final UnifiedJedis jedis;
  private final String prefix;

  /** Takes the application's client of a single server, which is never closed by this object. */
  public RedisFencing(UnifiedJedis jedis) {
    this(jedis, PREFIX_DEFAULT);
  }

  /**
   * Takes the application's client, and the beginning of the names of keys for seen tokens. In a
   * cluster a script's keys are all in one slot, so the prefix must have the hash tag of the
   * application's keys: <code>{shop}:fence:</code> for keys such as <code>{shop}:orders:42</code>.
   */
  public RedisFencing(UnifiedJedis jedis, String prefix) {
    this.jedis = jedis;
    this.prefix = prefix;
  }

  /**
   * Runs a script for the holder of a lock, or refuses the holder.
   *
   * <p>An exclusive holder is refused if an exclusive one with a greater token came before, or a
   * shared one with a token that is not smaller; a shared holder is refused if an exclusive one
   * with a greater token came. If the script itself fails, its holder was seen all the same.
   *
   * @param script in Lua, without a shebang; sees the keys and arguments that are given here
   * @param keys all that the script uses
   * @return what the script returns, as jedis tells it; null for nil
   * @throws StaleTokenException if the token is refused; the script did not run
   * @throws BadRequestException if the script begins with a shebang
   * @throws redis.clients.jedis.exceptions.JedisException if the script or the connection fails
   */
  public @Nullable Object eval(
      Sequencer sequencer, String script, List<String> keys, List<String> arguments) {
    if (script.startsWith("#!")) {
      throw new BadRequestException(
          "A script behind a fence cannot begin with a shebang, since the check stands before it: remove \"%s\"."
              .formatted(script.lines().findFirst().orElse("")));
    }
    List<String> allKeys = new ArrayList<>(keys);
    allKeys.add(prefix + sequencer.name());
    List<String> allArguments = new ArrayList<>(arguments);
    allArguments.add(modeOf(sequencer));
    allArguments.add(String.format(Locale.ROOT, "%019d", sequencer.token().value()));
    try {
      return jedis.eval(GUARD + script, allKeys, allArguments);
    } catch (JedisDataException e) {
      throw isStale(e) ? stale(sequencer, e) : e;
    }
  }

  private static String modeOf(Sequencer sequencer) {
    return sequencer.mode() == LockMode.EXCLUSIVE ? "exclusive" : "shared";
  }

  /** Older servers put words of their own before the error of a script. */
  private static boolean isStale(JedisDataException e) {
    return String.valueOf(e.getMessage()).contains(STALE);
  }

  private StaleTokenException stale(Sequencer sequencer, JedisDataException e) {
    String message = String.valueOf(e.getMessage());
    return new StaleTokenException(
        "A script with the token %s for the lock \"%s\" (%s) was refused: the key %s%s has seen a greater one (exclusive and shared, as far as there are: %s). The lock has passed on; stop what relies on it."
            .formatted(
                sequencer.token(),
                sequencer.name(),
                sequencer.mode(),
                prefix,
                sequencer.name(),
                message.substring(message.indexOf(STALE) + STALE.length()).strip()));
  }
}
