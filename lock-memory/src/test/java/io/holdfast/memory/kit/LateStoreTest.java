package io.holdfast.memory.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.memory.MemoryStore;
import io.holdfast.tck.process.actor.ActorCommand;
import io.holdfast.tck.process.actor.ActorSettings;
import io.holdfast.tck.process.actor.LocalActor;
import io.holdfast.tck.process.client.ClientSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store on a machine that is so busy that one call at the beginning of a run gets no answer. */
class LateStoreTest {

  private static final String NAME = "late";
  private static final int UNANSWERED = 2;

  @Test
  void anActorConnectsWhenTheStoreAnswers(@TempDir Path directory) {
    ActorSettings settings =
        new ActorSettings(
            "here", directory, Duration.ofSeconds(30), Duration.ofMinutes(1), List.of("lock"));
    AtomicInteger attempts = new AtomicInteger();

    try (LocalActor actor =
        LocalActor.start(settings, client -> connect(client, attempts.incrementAndGet()))) {
      ActorCommand holder = actor.hold("lock");
      holder.awaitHolding();

      assertThat(holder.release()).isEqualTo(ReleaseOutcome.FREED);
      assertThat(attempts).hasValue(UNANSWERED + 1);
    } finally {
      MemoryStore.forget(NAME);
    }
  }

  private static LockClient connect(ClientSettings settings, int attempt) {
    if (attempt <= UNANSWERED) {
      throw new BackendUnreachableException("The store does not answer.");
    }
    return settings.builder().connect("memory:" + NAME);
  }
}
