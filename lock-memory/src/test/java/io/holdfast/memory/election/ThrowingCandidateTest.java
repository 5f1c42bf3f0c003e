package io.holdfast.memory.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.election.Candidacy;
import io.holdfast.election.Candidate;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A candidate in a language that does not check exceptions. */
class ThrowingCandidateTest {

  private static final class NeitherExceptionNorError extends Throwable {
    private static final long serialVersionUID = 1;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneaky(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void oneThatThrowsWhatIsNoExceptionIsDeposedAndStandsAgain() {
    List<String> told = new CopyOnWriteArrayList<>();
    Candidate candidate =
        new Candidate() {
          @Override
          public void elected(Grant term) {
            told.add("elected");
            ThrowingCandidateTest.<RuntimeException>sneaky(new NeitherExceptionNorError());
          }

          @Override
          public void deposed(LossReason reason) {
            told.add("deposed: " + reason);
          }
        };
    try (LockClient client = Holdfast.connect("memory:throwing-candidate");
        Candidacy ignored = client.election("a").stand(candidate)) {
      await().atMost(Duration.ofSeconds(60)).until(() -> told.size() >= 3);
    }
    assertThat(told).startsWith("elected", "deposed: RELEASED", "elected");
  }
}
