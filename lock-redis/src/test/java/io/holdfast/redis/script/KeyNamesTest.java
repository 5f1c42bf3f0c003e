package io.holdfast.redis.script;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.server.ShortLivedJvm;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyNamesTest {

  /** Prints the names of a namespace, as a process of another country would make them. */
  static final class Names {
    public static void main(String[] arguments) {
      KeyNames names = new KeyNames("p");
      System.out.println(new String(names.namespace(7), US_ASCII));
      System.out.println(new String(names.channel("0"), US_ASCII));
    }
  }

  /** A country with digits of its own. Clients with other names would have locks of their own. */
  @Test
  void namesAreTheSameInEveryCountry(@TempDir Path directory) throws Exception {
    Path printed = directory.resolve("names");
    List<String> command =
        ShortLivedJvm.command(
            Names.class.getName(), "-Duser.language=fa", "-Duser.country=IR", "-Duser.variant=");

    int exit =
        new ProcessBuilder(command)
            .redirectError(Redirect.DISCARD) // Where a JVM tells of options in the environment.
            .redirectOutput(printed.toFile())
            .start()
            .waitFor();

    assertThat(printed).hasContent("{p:7}:namespace\np:hints:0");
    assertThat(exit).isZero();
  }
}
