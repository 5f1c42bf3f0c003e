package io.holdfast.tck.claim;

import io.holdfast.spi.Capabilities;
import java.util.List;
import java.util.Set;

/**
 * The facts in a report about a store besides how rules ended.
 *
 * @param store its name in messages
 * @param capabilities those that it states
 * @param claims those of them that tests can refute
 * @param controls the ways in which tests can control it
 */
public record Facts(
    String store, Capabilities capabilities, Set<Claim> claims, List<String> controls) {

  /** Copies the collections. */
  public Facts {
    claims = Set.copyOf(claims);
    controls = List.copyOf(controls);
  }
}
