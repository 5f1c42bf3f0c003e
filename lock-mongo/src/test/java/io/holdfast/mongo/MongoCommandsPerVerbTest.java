package io.holdfast.mongo;

import static io.holdfast.tck.fixture.StoreFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Observed;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many commands each verb sends, as the page about MongoDB says. */
class MongoCommandsPerVerbTest extends ImitationTestBase {

  private static final Logger LOG = LoggerFactory.getLogger(MongoCommandsPerVerbTest.class);

  private static final LockName LOCK = new LockName("orders/42");
  private static final String DATABASE = "commands";

  private final List<String> commands = Collections.synchronizedList(new ArrayList<>());
  private LockBackend backend;

  @BeforeEach
  void connect() {
    server.remember(DATABASE);
    backend =
        MongoLockProvider.connect(
            proxy.uri(DATABASE),
            MongoSettings.standard().onCommand(commands::add),
            BackendOptions.DEFAULTS,
            soon());
  }

  @AfterEach
  void close() {
    backend.close();
    server.drop(DATABASE);
    proxy.requireNoFaults();
  }

  private SpiClient open() {
    return SpiClient.open(backend, StoreFixture.LONG);
  }

  private int count(String verb, Runnable call) {
    commands.clear();
    call.run();
    int sent = commands.size();
    LOG.info("{}: {} command(s)", verb, sent);
    return sent;
  }

  @Test
  void verbsSendAsManyCommandsAsTheyMay() {
    assertThat(count("open the first session", this::open)).isEqualTo(3);
    assertThat(count("open", this::open)).isEqualTo(2);
    SpiClient holder = open();
    SpiClient waiter = open();
    Request first = holder.waitingRequest(LOCK);
    Request second = waiter.waitingRequest(LOCK);
    Request third = waiter.waitingRequest(LOCK);
    Request refused = waiter.request(LOCK);

    assertThat(count("renew", holder::renew)).isEqualTo(1);
    assertThat(count("grab", () -> grab(first))).isEqualTo(1);
    assertThat(count("look of a holder", () -> look(holder, first))).isEqualTo(2);
    assertThat(count("join", () -> grab(second))).isEqualTo(2);
    assertThat(count("join", () -> grab(third))).isEqualTo(2);
    assertThat(count("refused grab", () -> grab(refused))).isBetween(3, 4);
    assertThat(count("repeated join", () -> grab(third))).isBetween(3, 4);
    assertThat(count("look of a waiter", () -> look(waiter, second))).isEqualTo(2);
    assertThat(count("resume", () -> resume(waiter))).isEqualTo(3);
    assertThat(count("leave the queue", () -> release(third))).isEqualTo(1);
    assertThat(count("hand over", () -> release(first))).isEqualTo(1);
    assertThat(count("release by one that was not told", () -> release(second))).isEqualTo(3);
    grab(first);
    assertThat(count("release", () -> release(first))).isEqualTo(1);
    assertThat(count("release of an absent request", () -> release(second))).isEqualTo(2);
    Held held = holder.hold(LOCK);
    assertThat(count("inspect", () -> backend.inspect(LOCK, soon()))).isEqualTo(2);
    assertThat(count("list", () -> backend.list("", Optional.empty(), 9, soon()))).isEqualTo(2);
    Observed seen = new Observed(LOCK, held.number(), held.request().id());
    assertThat(count("revoke", () -> backend.revoke(seen, RevokeWhen.SAFELY, soon()))).isEqualTo(3);
    assertThat(count("acknowledge", () -> backend.acknowledge(held.request().id(), soon())))
        .isEqualTo(1);
    assertThat(count("end", holder::closeSession)).isEqualTo(1);
    Request newcomer = waiter.waitingRequest(LOCK);
    assertThat(count("overtake", () -> backend.overtake(newcomer, seen, soon()))).isEqualTo(3);
  }

  private void grab(Request request) {
    assertThat(backend.grab(request, soon())).isNotNull();
  }

  private void look(SpiClient client, Request request) {
    assertThat(backend.look(client.session(), List.of(request.key()), soon())).hasSize(1);
  }

  private void resume(SpiClient client) {
    assertThat(((ResumableSessions) backend).resume(client.session(), soon())).isPresent();
  }

  private void release(Request request) {
    assertThat(backend.release(request.name(), request.id(), soon())).isNotNull();
  }
}
