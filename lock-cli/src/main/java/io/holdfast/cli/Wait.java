package io.holdfast.cli;

import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;

/**
 * How long to wait for a lock.
 *
 * @param limit zero is one attempt, empty is for ever
 */
record Wait(Optional<Duration> limit) {

  static final Wait FOREVER = new Wait(Optional.empty());

  /**
   * Written out, because the argument parser asks for it at each start and what a record has by
   * itself takes a JVM a tenth of a second when it is first used.
   */
  @Override
  public String toString() {
    return limit.map(Duration::toString).orElse("forever");
  }

  /** Reads {@code forever} or a duration. */
  static final class Converter implements ITypeConverter<Wait> {
    @Override
    public Wait convert(String text) {
      return text.equals("forever") ? FOREVER : new Wait(Optional.of(Durations.parse(text)));
    }
  }
}
