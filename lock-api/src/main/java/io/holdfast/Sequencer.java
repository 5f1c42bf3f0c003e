package io.holdfast;

import java.util.Locale;

/**
 * A fencing token as text, {@code name:mode:token}, to be sent along with a request so that the
 * resource can check it. The name may have colons: the text is read from the right.
 *
 * @param name the lock's name
 * @param mode how it is held
 * @param token the grant's token
 */
public record Sequencer(LockName name, LockMode mode, FencingToken token) {

  /**
   * Reads the text form.
   *
   * @throws BadRequestException if it is not one
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
