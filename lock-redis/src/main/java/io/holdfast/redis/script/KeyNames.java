package io.holdfast.redis.script;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.error.BadRequestException;
import java.util.regex.Pattern;

/**
 * The names of the keys of a namespace. All keys of a partition are in one hash slot, because the
 * slot depends only on the text in braces. The scripts append the rest.
 *
 * @param prefix the name of the namespace
 */
public record KeyNames(String prefix) {

  public static final String PREFIX_DEFAULT = "holdfast";

  /** No braces, which would end the hash tag, and no special characters of shells or ACLs. */
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:/-]{1,100}");

  /** Checks the prefix. */
  public KeyNames {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new BadRequestException(
          "The prefix must be 1 to 100 letters, digits and . _ : / - but is: " + prefix);
    }
  }

  /** Returns the key of a partition's namespace record. */
  public byte[] namespace(int partition) {
    // Not by a format, which has the digits of the country.
    return ("{" + prefix + ":" + partition + "}:namespace").getBytes(US_ASCII);
  }

  /** Returns the channel for the hints of one client. */
  public byte[] channel(String client) {
    return (prefix + ":hints:" + client).getBytes(US_ASCII);
  }
}
