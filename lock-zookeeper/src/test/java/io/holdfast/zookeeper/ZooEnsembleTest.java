package io.holdfast.zookeeper;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.client.AcquireRules;
import io.holdfast.tck.process.ConcurrencyRules;
import io.holdfast.tck.process.DisturbedWorkRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.rules.failure.QuorumRules;
import io.holdfast.tck.rules.failure.RestartRules;
import io.holdfast.tck.rules.queue.GrabRules;
import io.holdfast.tck.rules.queue.LookRules;
import io.holdfast.tck.rules.queue.OvertakeRules;
import io.holdfast.tck.rules.queue.QueueRules;
import io.holdfast.tck.rules.queue.ReleaseRules;
import io.holdfast.tck.rules.queue.RevokeRules;
import io.holdfast.tck.rules.queue.SharedRules;
import io.holdfast.tck.rules.queue.StayRules;
import io.holdfast.tck.rules.session.SessionRules;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.zookeeper.ZooEnsemble;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * What an ensemble of three could break although the whole kit has passed on one server. Servers
 * that lag answer reads, so all verbs that read before or after they write run here, and what
 * several clients do at once ({@link AcquireRules}, {@link ConcurrencyRules}); the leader ends
 * sessions whichever server they are on ({@link DisturbedWorkRules}); all may be restarted ({@link
 * RestartRules}); nothing counts which only one server has ({@link QuorumRules}). What is left out
 * is about names, the engine, single steps and long runs, and the same wherever it is asked.
 */
@Adapter("zookeeper")
@Tag("server")
class ZooEnsembleTest extends TckBase
    implements QuorumRules,
        RestartRules,
        SessionRules,
        GrabRules,
        QueueRules,
        ReleaseRules,
        OvertakeRules,
        RevokeRules,
        SharedRules,
        StayRules,
        LookRules,
        AcquireRules,
        ConcurrencyRules,
        DisturbedWorkRules {

  private static final Duration LAG = Duration.ofMillis(20);

  private static ZooEnsemble ensemble;

  @BeforeAll
  static void startEnsemble() {
    ensemble = ZooEnsemble.launchWithTheFirstApart(3);
    ensemble.letTheFirstLag(LAG);
  }

  @AfterAll
  static void stopEnsemble() {
    ensemble.close();
  }

  @Override
  protected TckStore openStore() {
    return new EnsembleStore();
  }

  /** The first client is on the server that lags, the second on others, and all more on any. */
  private static final class EnsembleStore extends ZooTckStore implements QuorumControl {
    private final AtomicInteger clients = new AtomicInteger();

    EnsembleStore() {
      super(ensemble.addresses(), ensemble::restart);
    }

    @Override
    LockBackend connect(String members, BackendOptions options, Runnable beforeStep) {
      List<String> all = List.of(members.split(","));
      List<String> used =
          switch (clients.getAndIncrement()) {
            case 0 -> all.subList(0, 1);
            case 1 -> all.subList(1, all.size());
            default -> all;
          };
      try {
        return super.connect(String.join(",", used), options, beforeStep);
      } catch (BackendFailure e) {
        // Each test connects: so this tells what else would stay unknown, and fail them all.
        throw new BackendFailure(e.effect(), e.getMessage() + "\n" + ensemble.states(), e);
      }
    }

    @Override
    public void withoutQuorum(Runnable body) {
      ensemble.withoutQuorum(body);
    }
  }
}
