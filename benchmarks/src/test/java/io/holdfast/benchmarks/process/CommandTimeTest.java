package io.holdfast.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandTimeTest {

  @Test
  void userAndSystemTimeAreCpu() {
    assertThat(CommandTime.parse("1.500 0.250 0.125")).isEqualTo(new CommandTime(1500, 375));
  }

  @Test
  void whatTheCommandPrintsIsNotTakenForItsTime() throws Exception {
    CommandTime time = CommandTime.of(List.of("sh", "-c", "echo 7 7 7; echo 9 9 9 >&2"));

    assertThat(time.wallMillis()).isGreaterThan(0).isNotEqualTo(7000).isNotEqualTo(9000);
  }

  @Test
  void aCommandThatFailsIsNotTimed() {
    assertThatThrownBy(() -> CommandTime.of(List.of("sh", "-c", "echo no lock >&2; exit 3")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no lock");
  }
}
