package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure.Effect;
import org.junit.jupiter.api.Test;

class BackendFailureTest {

  /** What does not pass by itself is not told as a store that cannot be reached. */
  @Test
  void anApplicationIsToldOfALackOfPermissionAsSuchAlsoHalfway() {
    BackendFailure halfway =
        (BackendFailure) BackendFailure.halfway(new BackendUnusableException("no permission"));

    assertThat(halfway.toApplication("Cannot retire"))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessage("Cannot retire: no permission");
    assertThat(new BackendFailure(Effect.UNKNOWN, "lost", null).toApplication("Cannot retire"))
        .isInstanceOf(BackendUnreachableException.class);
  }
}
