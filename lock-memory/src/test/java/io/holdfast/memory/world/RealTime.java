package io.holdfast.memory.world;

import io.holdfast.LockClient;
import io.holdfast.ProcessIdentity;
import io.holdfast.engine.EngineClient;
import io.holdfast.engine.seam.Seam;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Clients in real time, on seams and backends that a test makes. */
public final class RealTime {

  private RealTime() {}

  public static LockClient client(Seam seam, LockBackend backend) {
    return client(seam, backend, Runnable::run);
  }

  public static LockClient client(Seam seam, LockBackend backend, Executor asyncExecutor) {
    return EngineClient.on(
        seam,
        backend,
        new EngineSettings(
            new ProcessIdentity("test"),
            Duration.ofMinutes(1),
            Optional.empty(),
            Optional.empty(),
            0.01,
            "",
            false,
            List.of(),
            asyncExecutor));
  }
}
