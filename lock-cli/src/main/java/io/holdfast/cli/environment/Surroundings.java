package io.holdfast.cli.environment;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * The surroundings of the command's process, which tests replace.
 *
 * @param environment the environment variables
 * @param in the input from which answers to questions are read
 * @param out for the results of the command, and nothing else
 * @param piped whether {@code out} leads to another process, which may stop reading
 * @param err for messages
 * @param terminal whether there is a terminal at which the user can be asked
 * @param screen the terminal that shows {@code out}
 * @param clock this machine's clock, to tell people how long ago something was
 * @param machineDirectory the directory that an administrator makes for the locks of all users of
 *     the machine
 * @param home the user's home directory
 * @param connector connects to stores
 */
public record Surroundings(
    Map<String, String> environment,
    InputStream in,
    PrintStream out,
    boolean piped,
    PrintStream err,
    boolean terminal,
    Screen screen,
    InstantSource clock,
    Path machineDirectory,
    Path home,
    Connector connector) {

  public static Surroundings real() {
    return new Surroundings(
        System.getenv(),
        System.in,
        System.out,
        Terminal.isPiped(),
        System.err,
        Terminal.isThere(),
        () -> Terminal.screen(System.getenv()),
        InstantSource.system(),
        Path.of("/var/lib/holdfast"),
        Path.of(System.getProperty("user.home")),
        Connector.REAL);
  }
}
