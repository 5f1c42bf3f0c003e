package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LooksUnderWayTest {

  private static final RequestId REQUEST = new RequestId(SessionId.fresh(), 1);

  private final LooksUnderWay looks = new LooksUnderWay();
  private final Set<RequestId> remembered = new HashSet<>();

  private void answered(LooksUnderWay.Look look, Runnable meanwhile) {
    look.remember(
        REQUEST,
        () -> {
          remembered.add(REQUEST);
          meanwhile.run();
        },
        () -> remembered.remove(REQUEST));
  }

  @Test
  void whatIsInItsQueueIsRemembered() {
    try (LooksUnderWay.Look look = looks.begin()) {
      answered(look, () -> {});
    }

    assertThat(remembered).containsExactly(REQUEST);
  }

  @Test
  void whatHasLeftSinceTheLookBeganIsNot() {
    try (LooksUnderWay.Look look = looks.begin();
        LooksUnderWay.Look another = looks.begin()) {
      looks.left(REQUEST);
      answered(look, () -> {});
      answered(another, () -> {});
    }

    assertThat(remembered).isEmpty();
  }

  @Test
  void whatLeavesWhileItIsRememberedIsForgotten() {
    try (LooksUnderWay.Look look = looks.begin()) {
      answered(look, () -> looks.left(REQUEST));
    }

    assertThat(remembered).isEmpty();
  }

  @Test
  void ofASessionThatIsOverNothingIsRemembered() {
    try (LooksUnderWay.Look look = looks.begin()) {
      looks.over(REQUEST.session());
      answered(look, () -> {});
    }

    assertThat(remembered).isEmpty();
  }

  /** One that has left and comes in again, as a late copy does, is found by the next look. */
  @Test
  void aLookThatBeganAfterwardsRemembersIt() {
    looks.left(REQUEST);
    try (LooksUnderWay.Look look = looks.begin()) {
      answered(look, () -> {});
    }

    assertThat(remembered).containsExactly(REQUEST);
  }
}
