package io.holdfast.tck.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortsTest {

  /** By chance alone some ten of two JVMs' would be the same. */
  private static final int MANY = 500;

  /** Prints what it chooses, and ends with its input. */
  static final class Other {
    public static void main(String[] arguments) throws IOException {
      for (int i = 0; i < MANY; i++) {
        System.out.println(Ports.choose());
      }
      System.in.transferTo(System.out);
    }
  }

  @Test
  void whileTwoJvmsRunNoPortIsChosenTwice() throws Exception {
    Process other = new ProcessBuilder(BriefJvm.command(Other.class.getName())).start();
    try (BufferedReader reader = other.inputReader(StandardCharsets.UTF_8)) {
      List<Integer> chosen = new ArrayList<>();
      while (chosen.size() < MANY) {
        chosen.add(Integer.valueOf(reader.readLine()));
      }
      IntStream.range(0, MANY).forEach(i -> chosen.add(Ports.choose()));

      assertThat(chosen).doesNotHaveDuplicates();
    } finally {
      other.destroyForcibly();
    }
  }
}
