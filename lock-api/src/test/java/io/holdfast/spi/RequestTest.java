package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Request.IfHeld;
import org.junit.jupiter.api.Test;

class RequestTest {

  private static final RequestId ID = new RequestId(SessionId.fresh(), 1);

  private static Request request(LockMode mode, IfHeld ifHeld) {
    return Request.of(new LockName("any"), ID, new ProcessIdentity("host:1"))
        .with(mode)
        .with(ifHeld)
        .why("why")
        .with(Payload.ofText("payload"));
  }

  @Test
  void nothingButWhatBecomesOfItIsChanged() {
    Request request = request(LockMode.EXCLUSIVE, IfHeld.QUEUE);

    assertThat(request.with(IfHeld.REFUSE)).isEqualTo(request(LockMode.EXCLUSIVE, IfHeld.REFUSE));
  }

  @Test
  void sharedModeIsRefusedWithTheNameOfTheStore() {
    Request shared = request(LockMode.SHARED, IfHeld.REFUSE);

    assertThatThrownBy(() -> shared.requireExclusive("any://store"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("any://store")
        .hasMessageContaining("shared mode");
  }

  @Test
  void exclusiveModeIsNotRefused() {
    Request exclusive = request(LockMode.EXCLUSIVE, IfHeld.REFUSE);

    assertThatCode(() -> exclusive.requireExclusive("any://store")).doesNotThrowAnyException();
  }
}
