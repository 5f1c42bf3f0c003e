package io.holdfast.redis.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.redis.script.Script;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Sends other scripts than it is given. */
public final class RewritingJedis extends JedisPooled {
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
  public Object evalsha(byte[] sha, List<byte[]> keys, List<byte[]> arguments) {
    String known = sent.get(new String(sha, UTF_8));
    if (known == null) {
      throw new JedisNoScriptException("Not by its digest yet (test)");
    }
    return super.evalsha(known.getBytes(UTF_8), keys, arguments);
  }

  @Override
  public Object eval(byte[] script, List<byte[]> keys, List<byte[]> arguments) {
    String right = new String(script, UTF_8);
    String instead = change.apply(right);
    if (!instead.equals(right)) {
      changed.incrementAndGet();
    }
    Arrays.stream(Script.values())
        .filter(each -> each.text().equals(right))
        .forEach(each -> sent.put(each.sha(), scriptLoad(instead)));
    return super.eval(instead.getBytes(UTF_8), keys, arguments);
  }
}
