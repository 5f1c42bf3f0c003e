package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Cli;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.store.NamedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The quick reader of arguments and the general one, which have to be of one opinion. */
class PlainRunTest {

  private static final int CALLS = 4000;

  private static final List<String> WORDS =
      List.of(
          "demo",
          "nightly",
          "",
          "-",
          "-x",
          "--bogus",
          "-q",
          "--quiet",
          "--quiet=true",
          "-qf",
          "-h",
          "--help",
          "-V",
          "--wait",
          "-w",
          "--wait=5s",
          "--wait=",
          "-w5s",
          "-w=5s",
          "0s",
          "10",
          "10s",
          "forever",
          "--ttl",
          "-t",
          "--ttl=20s",
          "1m",
          "--at-most",
          "--at-most=90s",
          "--at-most=0s",
          "--at-least",
          "--at-least=55s",
          "--lock-delay=1m",
          "--shared",
          "--why",
          "--why=a=b",
          "--why=",
          "a reason",
          "--backend",
          "-b",
          "fake:",
          "--backend=fake:other",
          "--backend-file",
          "--backend-file=/none",
          "--foreground",
          "--fore",
          "@file",
          "--retry",
          "--retry=2m",
          "-c",
          "-c=echo",
          "--command=a && b",
          "echo hi",
          "list");

  private final Surroundings surroundings = new Cli().surroundings();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run demo -- true",
        "run demo -- sh -c -- --wait",
        "run -q demo --wait 0s -- true",
        "run demo --at-most 10m -- true",
        "run --at-least 55s --at-most 10m nightly -- true",
        "run --at-least 55s --wait forever nightly -- true",
        "run --lock-delay 1m nightly -- true",
        "run --shared demo -- true",
        "run demo --ttl=20s --why because -b fake: --foreground -- true",
        "run demo -c true",
        "run --command=true --retry forever demo",
        "run demo --wait 0s --retry 2m -- true",
        "run --backend-file /none demo -w forever -t 1m --quiet -- true"
      })
  void whatPeopleTypeIsPlain(String line) {
    assertThat(PlainRun.of(line.split(" "))).isPresent();
    assertThat(described(PlainRun.of(line.split(" ")).orElseThrow()))
        .isEqualTo(described(parsed(line.split(" "))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "run demo",
        "run demo --",
        "run demo true",
        "run -- demo true",
        "run demo nightly -- true",
        "run demo --help -- true",
        "run demo --wait -- true",
        "run demo --wait 10 -- true",
        "run demo --wait 1s --wait 2s -- true",
        "run demo -w 1s --wait=2s -- true",
        "run demo -q --quiet -- true",
        "run demo --wait -1s -- true",
        "run demo --ttl forever -- true",
        "run demo -c true -- true",
        "run demo nightly -c true",
        "run -c true",
        "run demo -c true -c true",
        "run demo --retry soon -- true",
        "run demo --at-most 0s -- true",
        "run demo --at-least 25h -- true",
        "run demo --at-least 2m --at-most 1m -- true",
        "-q run demo -- true",
        "list -- true"
      })
  void theRestIsLeftToTheGeneralReader(String line) {
    assertThat(PlainRun.of(line.split(" "))).isEmpty();
  }

  @Test
  void bothReadEveryPlainCallAlike() {
    Random random = new Random(13);
    int plain = 0;
    for (int i = 0; i < CALLS; i++) {
      String[] call = call(random);
      Optional<RunRequest> quick = PlainRun.of(call);
      if (quick.isPresent()) {
        plain++;
        assertThat(described(quick.get()))
            .as("%s", List.of(call))
            .isEqualTo(described(parsed(call)));
      }
    }
    assertThat(plain).as("plain ones of %d", CALLS).isGreaterThan(CALLS / 20);
  }

  private static String[] call(Random random) {
    List<String> call = new ArrayList<>(List.of("run", "demo"));
    int more = random.nextInt(5);
    for (int i = 0; i < more; i++) {
      call.add(1 + random.nextInt(call.size()), WORDS.get(random.nextInt(WORDS.size())));
    }
    if (random.nextInt(5) == 0) {
      return call.toArray(String[]::new);
    }
    call.add("--");
    call.add("true");
    if (random.nextInt(3) == 0) {
      call.add(WORDS.get(random.nextInt(WORDS.size())));
    }
    return call.toArray(String[]::new);
  }

  private RunRequest parsed(String... call) {
    CommandLine line = HoldfastCommand.commandLine(surroundings, "run").setExpandAtFiles(false);
    line.parseArgs(call);
    CommandLine run = Objects.requireNonNull(line.getSubcommands().get("run"));
    return ((RunCommand) run.getCommand()).request();
  }

  private List<Object> described(RunRequest request) {
    return List.of(
        request.name(),
        request.command(),
        request.waiting(),
        request.retry(),
        request.ttl(),
        request.times(),
        request.why(),
        request.foreground(),
        request.quiet(),
        described(request.store()));
  }

  private String described(NamedStore store) {
    try {
      return store.choice(surroundings).toString();
    } catch (RuntimeException e) {
      return e.toString();
    }
  }
}
