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

  /** Reads {@code forever} or a duration. */
  static final class Converter implements ITypeConverter<Wait> {
    @Override
    public Wait convert(String text) {
      return text.equals("forever") ? FOREVER : new Wait(Optional.of(Durations.parse(text)));
    }
  }
}
