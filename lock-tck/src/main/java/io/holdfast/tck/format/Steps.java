package io.holdfast.tck.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.Request;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;

/** The steps and questions of the scenarios of golden files to a store. */
record Steps(LockBackend backend) {

  static final Duration TTL = Duration.ofSeconds(60);

  static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(30));
  }

  static SessionSpec session(SessionId id, String process) {
    return new SessionSpec(id, TTL, 0, new ProcessIdentity(process));
  }

  static Request request(LockName name, SessionId session, int serial, String process) {
    return Request.of(name, new RequestId(session, serial), new ProcessIdentity(process));
  }

  NamespaceSettings open(SessionId id, String process) {
    return backend.open(session(id, process), soon()).namespace();
  }

  /** Returns the number of the grant. */
  long granted(Request request) {
    Attempt attempt = backend.grab(request, soon());
    assertThat(attempt).as("grab of %s", request.name()).isInstanceOf(Attempt.Granted.class);
    return ((Attempt.Granted) attempt).number();
  }

  void queued(Request request) {
    assertThat(backend.grab(request, soon()))
        .as("grab of %s", request.name())
        .isEqualTo(new Attempt.Queued());
  }

  Standing standing(Request request) {
    return backend.look(request.id().session(), List.of(request.key()), soon()).get(0);
  }

  Standing.Holding holding(Request request) {
    Standing standing = standing(request);
    assertThat(standing).as("%s", request.name()).isInstanceOf(Standing.Holding.class);
    return (Standing.Holding) standing;
  }

  Standing.Waiting waiting(Request request) {
    Standing standing = standing(request);
    assertThat(standing).as("%s", request.id()).isInstanceOf(Standing.Waiting.class);
    return (Standing.Waiting) standing;
  }
}
