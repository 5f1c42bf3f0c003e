package io.holdfast.tck;

import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.server.ShortLivedJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.opentest4j.TestAbortedException;

/**
 * A JVM like this one, but for its wall clock, that runs rules of a class, one after the other.
 * Ends when its input does. Thread-safe.
 */
final class ClockedChild implements AutoCloseable {

  /** How a rule ended there. */
  enum Outcome {
    PASSED,
    FAILED,
    NOT_PROVED,
    NOT_APPLICABLE
  }

  /** How a rule ended there, and why. */
  record Verdict(Outcome outcome, String words) {}

  /** The beginning of a verdict's line; lines that native code prints, say, are not for us. */
  private static final String VERDICT = "holdfast-verdict";

  private final ShiftedClock clock;
  private final Process process;
  private final BufferedReader output;
  private final Writer input;

  private ClockedChild(ShiftedClock clock, Process process) {
    this.clock = clock;
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
    this.input = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts one for the rules of a class. */
  static ClockedChild start(Class<?> tests) {
    ShiftedClock clock = ShiftedClock.make();
    List<String> command = ShortLivedJvm.command(ClockedChild.class.getName());
    command.add(tests.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    builder.environment().putAll(clock.environment());
    try {
      return new ClockedChild(clock, builder.start());
    } catch (IOException e) {
      clock.close();
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a rule there, with a clock that is right at first. */
  synchronized Verdict run(Method rule) {
    clock.setRight();
    try {
      input.write(rule.getName() + '\n');
      input.flush();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        List<String> words = List.of(line.split(" ", -1));
        if (words.get(0).equals(VERDICT)) {
          byte[] text = Base64.getDecoder().decode(words.get(2));
          return new Verdict(
              Outcome.valueOf(words.get(1)), new String(text, StandardCharsets.UTF_8));
        }
      }
      throw new AssertionError("The JVM with a clock of its own ended during " + rule.getName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    clock.close();
  }

  /** The main method of the child. Argument: the class; its input: the names of rules. */
  public static void main(String[] arguments) throws Exception {
    Constructor<?> constructor = Class.forName(arguments[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    // Ours alone: what a driver prints without an end of line would hide a verdict behind it.
    PrintStream verdicts = System.out;
    System.setOut(System.err);
    BufferedReader rules =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String rule = rules.readLine(); rule != null; rule = rules.readLine()) {
      Verdict verdict = verdict(constructor, rule);
      byte[] text = verdict.words().getBytes(StandardCharsets.UTF_8);
      verdicts.println(
          String.join(
              " ", VERDICT, verdict.outcome().name(), Base64.getEncoder().encodeToString(text)));
    }
    Runtime.getRuntime().halt(0);
  }

  /** A failure beside a rule, such as to open its store, is the end of that rule alone. */
  private static Verdict verdict(Constructor<?> constructor, String rule) {
    try {
      TckBase tests = (TckBase) constructor.newInstance();
      tests.play(tests.getClass().getMethod(rule));
      return new Verdict(Outcome.PASSED, "");
    } catch (Throwable e) {
      Throwable thrown =
          e instanceof InvocationTargetException ? Objects.requireNonNullElse(e.getCause(), e) : e;
      if (thrown instanceof TestAbortedException) {
        Outcome outcome =
            thrown instanceof NotApplicableException ? Outcome.NOT_APPLICABLE : Outcome.NOT_PROVED;
        return new Verdict(outcome, String.valueOf(thrown.getMessage()));
      }
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      return new Verdict(Outcome.FAILED, trace.toString());
    }
  }
}
