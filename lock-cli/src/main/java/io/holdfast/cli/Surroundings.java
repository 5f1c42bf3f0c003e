package io.holdfast.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the tool finds around itself, so that tests can put something else there.
 *
 * @param environment the environment variables
 * @param in where answers to questions are read
 * @param out for what was asked for, and nothing else
 * @param err for messages
 * @param terminal whether somebody sits there who can be asked
 * @param machineDirectory where an administrator puts the locks of all users of the machine
 * @param home the user's home directory
 * @param connector connects to stores
 */
record Surroundings(
    Map<String, String> environment,
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean terminal,
    Path machineDirectory,
    Path home,
    Connector connector) {

  static Surroundings real() {
    return new Surroundings(
        System.getenv(),
        System.in,
        System.out,
        System.err,
        Terminal.isThere(),
        Path.of("/var/lib/holdfast"),
        Path.of(System.getProperty("user.home")),
        Connector.REAL);
  }
}
