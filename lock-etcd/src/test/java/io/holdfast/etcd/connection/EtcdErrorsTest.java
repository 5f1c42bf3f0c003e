package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.grpc.Status;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdErrorsTest {

  private static RuntimeException failure(Status status) {
    return EtcdErrors.failure("etcd://a", status.asRuntimeException());
  }

  private static RuntimeException unauthenticated(Status why) {
    return failure(Status.UNAUTHENTICATED.withCause(why.asRuntimeException()));
  }

  @Test
  void aMemberThatIsAwayWhenTheUserLogsInIsNotAWrongPassword() {
    RuntimeException failure = unauthenticated(Status.UNAVAILABLE.withDescription("io exception"));

    assertThat(failure).isInstanceOf(BackendFailure.class).hasMessageContaining("io exception");
  }

  /** One that lags or only learns yet, or something between it and us. */
  @ParameterizedTest
  @MethodSource("reasonsOfAMember")
  void aMemberThatLogsNobodyInNowIsNotAWrongPassword(Status why) {
    EtcdException told =
        EtcdExceptionFactory.toEtcdException(
            Status.UNAUTHENTICATED.withCause(why.asRuntimeException()));

    for (RuntimeException failure :
        List.of(unauthenticated(why), EtcdErrors.failure("etcd://a", told))) {
      assertThat(failure)
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining(why.getDescription());
    }
  }

  static List<Status> reasonsOfAMember() {
    return List.of(
        Status.UNAVAILABLE.withDescription("io exception"),
        Status.FAILED_PRECONDITION.withDescription("etcdserver: rpc not supported for learner"),
        Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: too many requests"),
        Status.UNKNOWN.withDescription("etcdserver: something new"));
  }

  /** jetcd logs in as soon as it has a user. */
  @Test
  void whoLogsInWhereNobodyHasToIsToldSo() {
    String said = "etcdserver: authentication is not enabled";

    assertThat(unauthenticated(Status.FAILED_PRECONDITION.withDescription(said)))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("not enabled");
  }

  @Test
  void aServerThatKnowsNoLoginIsTooOld() {
    assertThat(unauthenticated(Status.UNIMPLEMENTED.withDescription("unknown service")))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("too old");
  }

  @Test
  void aWrongPasswordIsOne() {
    String said = "etcdserver: authentication failed, invalid user ID or password";

    assertThat(unauthenticated(Status.INVALID_ARGUMENT.withDescription(said)))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("invalid user ID or password")
        .hasMessageContaining("Check user");
    assertThat(failure(Status.INVALID_ARGUMENT.withDescription(said)))
        .isInstanceOf(BackendUnusableException.class);
  }

  @Test
  void aMessageThatIsTooGreatIsNoLackOfSpaceAndMayHaveHadAnEffect() {
    RuntimeException failure =
        failure(
            Status.RESOURCE_EXHAUSTED.withDescription(
                "gRPC message exceeds maximum size 4194304: 5000000"));

    assertThat(failure).hasMessageContaining("maxWaiters").hasMessageNotContaining("compact");
    assertThat(((BackendFailure) failure).effect()).isEqualTo(Effect.UNKNOWN);
  }

  @Test
  void aLackOfSpaceSaysWhatToDo() {
    Status full =
        Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: mvcc: database space exceeded");

    assertThat(failure(full)).hasMessageContaining("compact");
    assertThat(EtcdErrors.isOutOfSpace(failure(full))).isTrue();
  }

  /**
   * A member that has found space for a request, and has none any more when the request's turn
   * comes, carries it out and says all the same that there was none. A connection may be ended with
   * this code after a request was sent.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "etcdserver: mvcc: database space exceeded",
        "HTTP/2 error code: ENHANCE_YOUR_CALM Received Goaway too_many_pings",
        "Bandwidth exhausted"
      })
  void aLackOfSomethingMayBeToldOfARequestThatWasDone(String said) {
    RuntimeException failure = failure(Status.RESOURCE_EXHAUSTED.withDescription(said));

    assertThat(((BackendFailure) failure).effect()).isEqualTo(Effect.UNKNOWN);
  }

  @Test
  void aMemberThatHasTooMuchToDoHasDoneNothing() {
    RuntimeException failure =
        failure(Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: too many requests"));

    assertThat(((BackendFailure) failure).effect()).isEqualTo(Effect.NONE);
  }
}
