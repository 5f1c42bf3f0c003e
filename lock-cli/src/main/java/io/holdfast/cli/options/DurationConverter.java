package io.holdfast.cli.options;

import io.holdfast.cli.output.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the value of an option that is a duration. */
public final class DurationConverter implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String text) {
    try {
      return Durations.parse(text);
    } catch (Durations.NotOneException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
