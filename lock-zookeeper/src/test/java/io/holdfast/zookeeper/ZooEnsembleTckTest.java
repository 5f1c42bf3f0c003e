package io.holdfast.zookeeper;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.server.ZooEnsemble;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on an ensemble of three, each test under a path of its own. */
@Tag("server")
class ZooEnsembleTckTest extends HoldfastTck {

  private static ZooEnsemble ensemble;

  @BeforeAll
  static void startEnsemble() {
    ensemble = ZooEnsemble.launch(3);
  }

  @AfterAll
  static void stopEnsemble() {
    ensemble.close();
  }

  @Override
  protected TckStore openStore() {
    return new EnsembleStore();
  }

  private static final class EnsembleStore extends ZooTckStore implements QuorumControl {
    EnsembleStore() {
      super(ensemble.addresses(), ensemble::restart);
    }

    @Override
    public void withoutQuorum(Runnable body) {
      ensemble.withoutQuorum(body);
    }
  }
}
