package io.holdfast.engine.connect;

import io.holdfast.error.BadRequestException;
import io.holdfast.spi.BackendOptions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URI without the settings that are the same for every store, which are for us and not for its
 * adapter: {@code maxWaiters=N} among its options.
 *
 * @param uri what the adapter gets to see
 * @param options what the client was told, and the URI says besides
 */
record UriSettings(String uri, BackendOptions options) {

  /** H2 separates its options by semicolons. */
  private static final Pattern MAX_WAITERS =
      Pattern.compile("([?&;])maxWaiters=([^&;]*)([&;]|$)", Pattern.CASE_INSENSITIVE);

  private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,8}");

  /**
   * Takes our settings out of a URI.
   *
   * @throws BadRequestException if one has a value that it cannot have
   */
  static UriSettings of(String uri, BackendOptions given) {
    Matcher found = MAX_WAITERS.matcher(uri);
    if (!found.find()) {
      return new UriSettings(uri, given);
    }
    if (!COUNT.matcher(found.group(2)).matches()) {
      throw new BadRequestException(
          "maxWaiters in the URI must be a whole number from 1 on, not \"%s\"."
              .formatted(found.group(2)));
    }
    String rest =
        uri.substring(0, found.start())
            + (found.group(3).isEmpty() ? "" : found.group(1))
            + uri.substring(found.end());
    if (MAX_WAITERS.matcher(rest).find()) {
      throw new BadRequestException("The URI gives maxWaiters twice.");
    }
    return new UriSettings(rest, given.withMaxWaiters(Integer.parseInt(found.group(2))));
  }
}
