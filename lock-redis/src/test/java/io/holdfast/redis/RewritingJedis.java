package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Sends other scripts than it is given. */
final class RewritingJedis extends JedisPooled {
  private final UnaryOperator<String> change;
  private final AtomicLong changed = new AtomicLong();

  RewritingJedis(int port, int connectionsMax, UnaryOperator<String> change) {
    super("127.0.0.1", port);
    this.change = change;
    getPool().setMaxTotal(connectionsMax);
  }

  /** Returns how many scripts it has changed. */
  long changed() {
    return changed.get();
  }

  @Override
  public Object evalsha(byte[] sha, List<byte[]> keys, List<byte[]> arguments) {
    throw new JedisNoScriptException("Not by its digest (test)");
  }

  @Override
  public Object eval(byte[] script, List<byte[]> keys, List<byte[]> arguments) {
    String right = new String(script, UTF_8);
    String sent = change.apply(right);
    if (!sent.equals(right)) {
      changed.incrementAndGet();
    }
    return super.eval(sent.getBytes(UTF_8), keys, arguments);
  }
}
