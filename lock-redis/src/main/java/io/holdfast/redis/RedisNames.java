package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.BadRequestException;
import java.util.regex.Pattern;

/**
 * What the keys of a namespace are called. All of a partition's lie in one hash slot, that of the
 * text in braces; the scripts append the rest.
 *
 * @param prefix the namespace's name
 */
record RedisNames(String prefix) {

  static final String PREFIX_DEFAULT = "holdfast";

  /** No braces, which would cut the hash tag off, and nothing that a shell or an ACL reads. */
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:/-]{1,100}");

  /** Checks the prefix. */
  RedisNames {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new BadRequestException(
          "The prefix must be 1 to 100 letters, digits and . _ : / - but is: " + prefix);
    }
  }

  /** Returns the key of a partition's namespace record. */
  byte[] namespace(int partition) {
    return "{%s:%d}:namespace".formatted(prefix, partition).getBytes(US_ASCII);
  }

  /** Returns the channel on which one client gets its hints. */
  byte[] channel(String client) {
    return "%s:hints:%s".formatted(prefix, client).getBytes(US_ASCII);
  }
}
