package io.holdfast.cli.options;

import io.holdfast.cli.output.Durations;
import io.holdfast.cli.waiting.Wait;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the value of {@code --wait}. */
public final class WaitConverter implements ITypeConverter<Wait> {

  @Override
  public Wait convert(String text) {
    try {
      return Wait.parse(text);
    } catch (Durations.NotOneException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
