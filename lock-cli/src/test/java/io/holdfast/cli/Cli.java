package io.holdfast.cli;

import io.holdfast.LockClient;
import io.holdfast.cli.environment.Connector;
import io.holdfast.cli.environment.Screen;
import io.holdfast.cli.environment.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The tool in surroundings of a test's own. */
public final class Cli {

  public final FakeClient client = new FakeClient();
  public final Map<String, String> environment = new HashMap<>(Map.of("HOLDFAST_BACKEND", "fake:"));
  public Connector connector = (uri, listener) -> client;
  public Path machineDirectory = Path.of("/nowhere");
  public Path home = Path.of("/nowhere");
  public boolean terminal;
  public boolean piped;
  public Optional<Screen.Size> screen = Optional.empty();
  public Instant now = Instant.parse("2024-05-06T07:09:12Z");
  public String typed = "";
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  public int run(String... arguments) {
    return Main.run(surroundings(), arguments);
  }

  /** Runs it with a standard output that cannot be written any more after so many bytes. */
  public int runWithRoomFor(int bytes, String... arguments) {
    OutputStream narrow =
        new FilterOutputStream(out) {
          private int left = bytes;

          @Override
          public void write(int b) throws IOException {
            if (left-- <= 0) {
              throw new IOException("no room left");
            }
            super.write(b);
          }
        };
    return Main.run(surroundings(new PrintStream(narrow, true, StandardCharsets.UTF_8)), arguments);
  }

  public Surroundings surroundings() {
    return surroundings(new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  public Surroundings surroundings(PrintStream output) {
    return new Surroundings(
        environment,
        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
        output,
        piped,
        new PrintStream(err, true, StandardCharsets.UTF_8),
        terminal,
        () -> screen,
        () -> now,
        machineDirectory,
        home,
        connector);
  }

  public void connectionFailsWith(RuntimeException failure) {
    connector =
        (uri, listener) -> {
          throw failure;
        };
  }

  public String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Makes the client refuse what it is asked for. */
  public void acquiringFailsWith(RuntimeException failure) {
    client.acquiring =
        options -> {
          throw failure;
        };
  }

  public LockClient client() {
    return client;
  }
}
