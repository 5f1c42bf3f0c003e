package io.holdfast.jdbc.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTest {

  private static final String PROC = "22 27 0:21 / /proc rw,relatime - proc proc rw";

  @Test
  void theBootIdOfAMachineIsItsOwn() {
    assertThat(Machine.isOfContainer(List.of())).isFalse();
    assertThat(Machine.isOfContainer(List.of(PROC, "odd", ""))).isFalse();
  }

  /** As LXC and systemd-nspawn do. */
  @Test
  void aBootIdThatIsMountedIsThatOfAContainer() {
    String mounted =
        "391 388 0:52 /.lxc-boot-id /proc/sys/kernel/random/boot_id ro,nosuid,nodev,noexec,relatime - tmpfs none rw,size=492k";

    assertThat(Machine.isOfContainer(List.of(PROC, mounted))).isTrue();
  }
}
