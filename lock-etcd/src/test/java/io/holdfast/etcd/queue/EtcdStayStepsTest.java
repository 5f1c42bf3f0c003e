package io.holdfast.etcd.queue;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.holdfast.LockMode;
import io.holdfast.etcd.EtcdTckStore;
import io.holdfast.record.Liveness;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.fixture.EachStep;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Stays take several steps each. Before each of these, something else happens to the request. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class EtcdStayStepsTest {

  private static EtcdServer server;
  private static Client client;

  private EtcdKeys keys;
  private StoreFixture fixture;
  private LockBackend elsewhere;
  private SpiClient other;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
    client = Client.builder().endpoints("http://" + server.address()).build();
  }

  @AfterAll
  static void stopServer() {
    client.close();
    server.close();
  }

  @BeforeEach
  void open() {
    EtcdTckStore store = new EtcdTckStore(server.address(), () -> {});
    String uri = store.uri().orElseThrow();
    keys = new EtcdKeys(client, uri.substring(uri.indexOf('/', "etcd://".length()) + 1));
    fixture = new StoreFixture(store, Set.of(), Set.of());
    elsewhere = fixture.connect();
    other = SpiClient.open(elsewhere, LONG);
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  /** What is revoked does not stay, whichever of the two comes first. */
  @Test
  void whoIsRevokedWhileItIsGivenBackEarlyLeaves() {
    EachStep.of(
        fixture,
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          scene.at().arm(step, () -> other.revoke(held.observed(), RevokeWhen.SAFELY));

          Released released = scene.stepped().releaseAfter(held.request(), LONG);

          boolean reached = scene.at().disarm();
          assertThat(released).isEqualTo(reached ? Released.FREED : Released.STAYS);
          assertThat(other.isFree(scene.name())).isEqualTo(reached);
          return reached;
        });
  }

  @Test
  void whoIsGivenBackEarlyWhileItIsRevokedLeaves() {
    EachStep.of(
        fixture,
        (scene, step) -> {
          SpiClient holder = SpiClient.open(elsewhere, LONG);
          Held held = holder.hold(scene.name());
          scene.at().arm(step, () -> holder.releaseAfter(held.request(), LONG));

          scene.stepped().revoke(held.observed(), RevokeWhen.SAFELY);

          boolean reached = scene.at().disarm();
          assertThat(other.isFree(scene.name())).isEqualTo(reached);
          return reached;
        });
  }

  @Test
  void whoIsDowngradedWhileItIsGivenBackEarlyStaysInSharedMode() {
    EachStep.of(
        fixture,
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          scene.at().arm(step, () -> scene.stepped().on(elsewhere).downgrade(held));

          Released released = scene.stepped().releaseAfter(held.request(), LONG);

          boolean reached = scene.at().disarm();
          assertThat(released).isEqualTo(Released.STAYS);
          LockMode mode = reached ? LockMode.SHARED : LockMode.EXCLUSIVE;
          assertThat(other.refused(scene.name()).mode()).isEqualTo(mode);
          return reached;
        });
  }

  /** A late downgrade does not bring it back to its session. */
  @Test
  void whoIsGivenBackEarlyWhileItIsDowngradedStays() {
    EachStep.of(
        fixture,
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          SpiClient same = scene.stepped().on(elsewhere);
          scene.at().arm(step, () -> same.releaseAfter(held.request(), LONG));

          OptionalLong number =
              scene.stepped().backend().downgrade(held.request().key(), StoreFixture.soon());

          boolean reached = scene.at().disarm();
          assertThat(number.isEmpty()).isEqualTo(reached);
          same.closeSession();
          assertThat(other.isFree(scene.name())).isEqualTo(!reached);
          return reached;
        });
  }

  /** Then it holds, and whatever is written about it meanwhile goes with it. */
  @Test
  void aSharedAttemptIsGrantedWhoseHolderIsDowngradedMeanwhile() {
    EachStep.of(
        fixture,
        (scene, step) -> {
          SpiClient stepped = scene.stepped();
          Held held = other.hold(scene.name());
          Request request = stepped.sharedRequest(scene.name()).with(IfHeld.REFUSE);
          scene
              .at()
              .arm(
                  step,
                  () -> {
                    other.downgrade(held);
                    other.inspect(scene.name()).orElseThrow().holders().stream()
                        .filter(holder -> holder.request().equals(request.id()))
                        .map(holder -> holder.ownNumber().orElseThrow())
                        .map(number -> new Observed(scene.name(), number, request.id()))
                        .forEach(observed -> other.revoke(observed, RevokeWhen.SAFELY));
                  });

          Attempt attempt = stepped.grab(request);

          boolean reached = scene.at().disarm();
          assertThat(attempt).isInstanceOf(reached ? Attempt.Granted.class : Attempt.Refused.class);
          stepped.release(request);
          other.release(held);
          Held next = stepped.share(scene.name());
          assertThat(other.holder(scene.name()).revokedAt()).isEmpty();
          stepped.release(next);
          return reached;
        });
  }

  /** The second one does not lengthen it. */
  @Test
  void aDelayThatTwoBeginAtOnceBeginsOnce() {
    AtomicLong lease = new AtomicLong();
    EachStep.of(
        fixture,
        (scene, step) -> {
          SpiClient dead = SpiClient.open(elsewhere, LONG);
          Held held = dead.hold(dead.request(scene.name()).lockDelay(LONG));
          dead.closeSession();
          Runnable begins =
              () -> {
                other.overtake(other.request(scene.name()), held.observed());
                lease.set(keys.mark(held.request().key(), "d").getLease());
              };
          scene.at().arm(step, begins);

          Attempt attempt =
              scene.stepped().overtake(scene.stepped().request(scene.name()), held.observed());

          boolean reached = scene.at().disarm();
          assertThat(attempt).isInstanceOf(Attempt.Refused.class);
          assertThat(other.refused(scene.name()).liveness()).isEqualTo(Liveness.STAYING);
          if (reached) {
            KeyValue delay = keys.mark(held.request().key(), "d");
            assertThat(delay.getLease()).isEqualTo(lease.get());
            assertThat(keys.of(held.request().key()).getLease()).isEqualTo(lease.get());
          }
          return reached;
        });
  }

  /** A request that does not wait stands in the queue with its marks, for a moment. */
  @Test
  void anAttemptWithALockDelayThatDiesKeepsNobodyOut() {
    EachStep.of(
        fixture,
        (scene, step) -> {
          Held held = other.hold(scene.name());
          SpiClient dies = scene.stepped();
          scene
              .at()
              .arm(
                  step,
                  () -> {
                    throw new StepAction.ClientDied();
                  });
          boolean died = false;
          try {
            dies.grab(dies.request(scene.name()).lockDelay(LONG).with(IfHeld.REFUSE));
          } catch (RuntimeException e) {
            died = true;
          }
          boolean reached = scene.at().disarm();
          assertThat(died).isEqualTo(reached);
          dies.on(elsewhere).closeSession();
          elsewhere.sweep(StoreFixture.soon());

          assertThat(other.release(held)).isEqualTo(Released.FREED);
          return reached;
        });
  }

  /** The session first, then the record: nobody is evicted who was not told. */
  @Test
  void whoRevokesWithNoticeMayDieMeanwhile() {
    EachStep.of(
        fixture,
        (scene, step) -> {
          SpiClient holder = SpiClient.open(elsewhere, LONG);
          Held held = holder.hold(scene.name());
          scene
              .at()
              .arm(
                  step,
                  () -> {
                    throw new StepAction.ClientDied();
                  });
          try {
            scene
                .stepped()
                .backend()
                .revokeIn(held.observed(), LONG.multipliedBy(2), StoreFixture.soon());
          } catch (RuntimeException e) {
            assertThat(e).hasStackTraceContaining(StepAction.ClientDied.class.getName());
          }

          boolean reached = scene.at().disarm();
          List<Notice> notices = holder.renewed().notices();
          if (holder.holder(scene.name()).revokedAt().isPresent()) {
            assertThat(notices).hasSize(1);
          }
          // Who was told of some time is not told to stop at once.
          assertThat(notices)
              .allSatisfy(
                  notice ->
                      assertThat(((Notice.Revoked) notice).left())
                          .isBetween(LONG, LONG.multipliedBy(2)));
          return reached;
        });
  }
}
