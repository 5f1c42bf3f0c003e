package io.holdfast.redis.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.redis.script.Script;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Sends other scripts than it is given. */
public final class RewritingJedis extends JedisPooled {

  /** How many characters the digest of a script has; a script has more. */
  private static final int DIGEST = 40;

  private final UnaryOperator<String> change;
  private final AtomicLong changed = new AtomicLong();
  private final Map<String, String> sent = new ConcurrentHashMap<>();

  public RewritingJedis(int port, int connectionsMax, UnaryOperator<String> change) {
    super("127.0.0.1", port);
    this.change = change;
    getPool().setMaxTotal(connectionsMax);
  }

  /** Returns how many scripts it has changed. */
  public long changed() {
    return changed.get();
  }

  /** By the digest of what is sent instead, once the server has that. */
  @Override
  public Object sendCommand(byte[] key, ProtocolCommand command, byte[]... arguments) {
    String script = new String(arguments[0], UTF_8);
    byte[][] instead = arguments.clone();
    instead[0] = (script.length() == DIGEST ? known(script) : changed(script)).getBytes(UTF_8);
    return super.sendCommand(key, command, instead);
  }

  private String known(String sha) {
    String known = sent.get(sha);
    if (known == null) {
      throw new JedisNoScriptException("Not by its digest yet (test)");
    }
    return known;
  }

  private String changed(String right) {
    String instead = change.apply(right);
    if (!instead.equals(right)) {
      changed.incrementAndGet();
    }
    sent.put(Script.digest(right), scriptLoad(instead));
    return instead;
  }
}
