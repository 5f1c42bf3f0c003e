package io.holdfast.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Sends signals to process groups and processes, because Java cannot. */
final class GroupSignal {

  /** The outcome of sending a signal. */
  enum Result {
    SENT,
    /** No process is in the group. */
    NO_GROUP,
    /** This process may signal none of the group's processes, or the signal could not be sent. */
    FAILED
  }

  private GroupSignal() {}

  /** Sends a signal to every process of a group. */
  static Result send(Signal signal, long group) {
    return send(signal.decimal(), group);
  }

  /** Sends a signal, such as KILL, to every process of a group. */
  static Result send(String signal, long group) {
    return kill(signal, "-" + group);
  }

  /** Sends a signal to one process. */
  static Result sendToProcess(Signal signal, long pid) {
    return sendToProcess(signal.decimal(), pid);
  }

  /** Sends a signal, such as STOP, to one process. */
  static Result sendToProcess(String signal, long pid) {
    return kill(signal, Long.toString(pid));
  }

  /** Uses the shell's own {@code kill}, because small systems have no program of that name. */
  private static Result kill(String signal, String target) {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "kill -s \"$1\" -- \"$2\"", "sh", signal, target);
    // A function of the user's would take the place of the shell's own kill where sh is bash.
    builder.environment().keySet().retainAll(Set.of("PATH"));
    builder.environment().put("LC_ALL", "C");
    builder.redirectErrorStream(true);
    try {
      Process kill = builder.start();
      kill.getOutputStream().close();
      String said = new String(kill.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      if (kill.waitFor() == 0) {
        return Result.SENT;
      }
      return said.contains("No such process") ? Result.NO_GROUP : Result.FAILED;
    } catch (IOException e) {
      return Result.FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Result.FAILED;
    }
  }
}
