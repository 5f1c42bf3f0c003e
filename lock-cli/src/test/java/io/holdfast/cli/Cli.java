package io.holdfast.cli;

import io.holdfast.LockClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The tool in surroundings of a test's own. */
final class Cli {

  final FakeClient client = new FakeClient();
  final Map<String, String> environment = new HashMap<>(Map.of("HOLDFAST_BACKEND", "fake:"));
  Connector connector = (uri, listener) -> client;
  Path machineDirectory = Path.of("/nowhere");
  Path home = Path.of("/nowhere");
  boolean terminal;
  String typed = "";
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  int run(String... arguments) {
    return Main.run(surroundings(), arguments);
  }

  Surroundings surroundings() {
    return new Surroundings(
        environment,
        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        terminal,
        machineDirectory,
        home,
        connector);
  }

  void connectionFailsWith(RuntimeException failure) {
    connector =
        (uri, listener) -> {
          throw failure;
        };
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Makes the client refuse what it is asked for. */
  void acquiringFailsWith(RuntimeException failure) {
    client.acquiring =
        options -> {
          throw failure;
        };
  }

  LockClient client() {
    return client;
  }
}
