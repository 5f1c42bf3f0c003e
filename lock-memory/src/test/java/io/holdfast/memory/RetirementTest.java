package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.error.BadRequestException;
import org.junit.jupiter.api.Test;

/** What {@link Holdfast#retire} says where there is nothing that could be retired. */
class RetirementTest {

  @Test
  void anAdapterThatHasHadOneLayoutSaysSo() {
    assertThatThrownBy(() -> Holdfast.retire("memory:locks?maxWaiters=3"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("memory")
        .hasMessageContaining("cannot retire");
  }

  @Test
  void aUriOfNoAdapterIsRefused() {
    assertThatThrownBy(() -> Holdfast.retire("nothing:here"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nothing:");
  }
}
