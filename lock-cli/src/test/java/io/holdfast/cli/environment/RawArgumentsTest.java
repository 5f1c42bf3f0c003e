package io.holdfast.cli.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawArgumentsTest {

  private static final String[] REPLACED = {"run", "a\uFFFD"};

  @TempDir private Path directory;

  @Test
  void aByteThatIsNotUtf8SpoilsThem() throws Exception {
    Path raw = Files.write(directory.resolve("raw"), new byte[] {'r', 'u', 'n', 0, 'a', -1, 0});

    assertThat(RawArguments.areSpoiled(REPLACED, raw)).isTrue();
  }

  @Test
  void aReplacementCharacterThatSomebodyWroteDoesNot() throws Exception {
    byte[] written = "run\0a\uFFFD\0".getBytes(StandardCharsets.UTF_8);
    Path raw = Files.write(directory.resolve("raw"), written);

    assertThat(RawArguments.areSpoiled(REPLACED, raw)).isFalse();
  }

  @Test
  void whereNobodyKeepsThemADoubtIsEnough() {
    Path nowhere = directory.resolve("nowhere");

    assertThat(RawArguments.areSpoiled(REPLACED, nowhere)).isTrue();
    assertThat(RawArguments.areSpoiled(new String[] {"run", "schloß"}, nowhere)).isFalse();
  }
}
