package io.holdfast;

import io.holdfast.error.BadRequestException;
import java.util.Locale;

/**
 * A fencing token in its text form, {@code name:mode:token}. A client sends it with a request, so
 * that the resource can check it. The name may contain colons, because the text is parsed from the
 * right.
 *
 * @param name the lock's name
 * @param mode the mode in which the lock is held
 * @param token the grant's token
 */
public record Sequencer(LockName name, LockMode mode, FencingToken token) {

  /**
   * Reads the text form.
   *
   * @throws BadRequestException if the text is not a sequencer
   */
  public static Sequencer parse(String text) {
    int second = text.lastIndexOf(':');
    int first = second < 0 ? -1 : text.lastIndexOf(':', second - 1);
    if (first < 0) {
      throw new BadRequestException("Not a sequencer (name:mode:token): " + text);
    }
    try {
      return new Sequencer(
          new LockName(text.substring(0, first)),
          LockMode.valueOf(text.substring(first + 1, second).toUpperCase(Locale.ROOT)),
          new FencingToken(Long.parseLong(text.substring(second + 1))));
    } catch (IllegalArgumentException e) {
      throw new BadRequestException("Not a sequencer (name:mode:token): " + text, e);
    }
  }

  @Override
  public String toString() {
    return name + ":" + mode.name().toLowerCase(Locale.ROOT) + ":" + token;
  }
}
