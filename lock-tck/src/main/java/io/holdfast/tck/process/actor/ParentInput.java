package io.holdfast.tck.process.actor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The standard input of a child JVM, on which its parent tells it what to do. */
final class ParentInput {

  private static final int ORPHANED = 3;

  private ParentInput() {}

  /** Obeys line by line. Ends this JVM at once when the input ends: then the parent is gone. */
  static void obey(Consumer<String> order) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      order.accept(line);
    }
    Runtime.getRuntime().halt(ORPHANED);
  }
}
