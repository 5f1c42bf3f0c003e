package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import org.junit.jupiter.api.Test;

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

  @Test
  void aWrongPasswordIsOne() {
    String said = "etcdserver: authentication failed, invalid user ID or password";

    assertThat(unauthenticated(Status.INVALID_ARGUMENT.withDescription(said)))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("password");
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
}
