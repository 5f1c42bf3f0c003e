package io.holdfast.tck.claim;

import io.holdfast.spi.Capabilities;
import java.util.List;
import java.util.Set;

/**
 * What a report says of a store besides how rules ended.
 *
 * @param store how it is called in messages
 * @param capabilities what it says of itself
 * @param claims what of that tests can refute
 * @param controls what tests can do to it
 */
public record Facts(
    String store, Capabilities capabilities, Set<Claim> claims, List<String> controls) {

  /** Copies the collections. */
  public Facts {
    claims = Set.copyOf(claims);
    controls = List.copyOf(controls);
  }
}
