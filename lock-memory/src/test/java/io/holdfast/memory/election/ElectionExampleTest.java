package io.holdfast.memory.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.Payload;
import io.holdfast.election.Candidacy;
import io.holdfast.election.Candidate;
import io.holdfast.election.Leader;
import io.holdfast.error.LossReason;
import io.holdfast.memory.PageExamples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The examples of docs/election.md. */
class ElectionExampleTest {

  private static final Path PAGE = Path.of("..", "docs", "election.md");
  private static final Path HERE =
      Path.of("src/test/java/io/holdfast/memory/election/ElectionExampleTest.java");

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final Scheduler scheduler = new Scheduler();
  private final LockClient client = Holdfast.connect("memory:election-example");

  /** What the leader of the example does. */
  private final class Scheduler {
    void start(FencingToken token) {
      done.add("started with a token above 0: " + (token.value() > 0));
    }

    void stop() {
      done.add("stopped");
    }
  }

  /** The application of the example: it runs until its candidate leads. */
  private final class Application {
    void run() {
      await().atMost(Duration.ofSeconds(60)).until(() -> !done.isEmpty());
      assertThat(address()).isEqualTo("10.0.0.7:8080");
    }
  }

  @Test
  void aCandidateLeadsAndIsDeposed() {
    Application application = new Application();
    try (client) {
      Candidate candidate =
          new Candidate() {
            @Override
            public void elected(Grant term) {
              scheduler.start(term.token());
            }

            @Override
            public void deposed(LossReason reason) {
              scheduler.stop();
            }
          };
      AcquireOptions options = AcquireOptions.forever().payload(Payload.ofText("10.0.0.7:8080"));
      try (Candidacy candidacy = client.election("billing").stand(options, candidate)) {
        application.run();
      }
      assertThat(done).containsExactly("started with a token above 0: true", "stopped");
      assertThat(address()).isEqualTo("nobody");
    }
  }

  private String address() {
    Optional<Leader> leader = client.election("billing").leader();
    String address = leader.map(Leader::payload).map(Payload::text).orElse("nobody");
    return address;
  }

  @Test
  void thePageShowsTheseExamples() throws IOException {
    PageExamples.requireIn(HERE, PAGE, 2);
  }
}
