package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.StaleTokenException;
import io.holdfast.tck.adapter.FencingMarkRules;
import io.holdfast.tck.adapter.PausedWriterRules;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.redis.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisDataException;

/** Scripts of an application that a stale holder cannot run. */
@Adapter("redis")
@Tag("server")
class RedisFencingTest implements FencingMarkRules, PausedWriterRules {

  private static RedisServer server;
  private static RedisOrders orders;

  @BeforeAll
  static void start() {
    server = RedisServer.launch();
    orders = new RedisOrders(server.uri());
  }

  @AfterAll
  static void stop() {
    orders.close();
    server.close();
  }

  @BeforeEach
  void clear() {
    orders.clear();
  }

  @Override
  public void write(Sequencer sequencer, String value) {
    orders.write(sequencer, value);
  }

  @Override
  public String read() {
    return orders.read();
  }

  @Override
  public Class<? extends FencedResource> resource() {
    return RedisOrders.class;
  }

  @Override
  public String place() {
    return server.uri();
  }

  private static Sequencer holder(String name, long number) {
    return new Sequencer(new LockName(name), LockMode.EXCLUSIVE, FencingToken.of(number, 0));
  }

  @Test
  void aScriptSeesItsOwnKeysAndArgumentsAndItsResultComesBack() {
    Object result =
        orders
            .fencing()
            .eval(
                holder("a", 1),
                "return {#KEYS, #ARGV, KEYS[1], ARGV[1], ARGV[2]}",
                List.of("k"),
                List.of("x", "y"));

    assertThat(result).isEqualTo(List.of(1L, 2L, "k", "x", "y"));
    assertThat(orders.fencing().eval(holder("a", 1), "return #KEYS", List.of(), List.of()))
        .isEqualTo(0L);
  }

  /** As numbers of Lua they would be the same. */
  @Test
  void tokensAreComparedToTheLastDigit() {
    Sequencer greater = new Sequencer(new LockName("a"), LockMode.EXCLUSIVE, token(1));
    Sequencer smaller = new Sequencer(new LockName("a"), LockMode.EXCLUSIVE, token(0));
    orders.write(greater, "one");

    assertThatThrownBy(() -> orders.write(smaller, "two")).isInstanceOf(StaleTokenException.class);
  }

  private static FencingToken token(int local) {
    return FencingToken.of(Long.MAX_VALUE / FencingToken.LOCAL_PARTS - 1, local);
  }

  @Test
  void whatTheScriptItselfFailsOfIsToldAsItIs() {
    assertThatThrownBy(
            () ->
                orders
                    .fencing()
                    .eval(holder("a", 1), "return redis.call('NO')", List.of(), List.of()))
        .isInstanceOf(JedisDataException.class);
    assertThatThrownBy(
            () -> orders.fencing().eval(holder("a", 1), "#!lua\nreturn 1", List.of(), List.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("shebang");
  }
}
