package io.holdfast.spi;

import io.holdfast.error.BadRequestException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The settings of a namespace that a client was given explicitly. If the namespace exists already,
 * they must equal its settings: with different settings two clients could hold the same lock.
 *
 * @param partitions how many partitions
 * @param maxTtl the greatest TTL of a session
 * @param maxClockStep how far the store's clock may step forward within one TTL
 */
public record NamespaceWish(
    OptionalInt partitions, Optional<Duration> maxTtl, Optional<Duration> maxClockStep) {

  /** No setting given. */
  public static final NamespaceWish NONE =
      new NamespaceWish(OptionalInt.empty(), Optional.empty(), Optional.empty());

  /**
   * Returns the settings that the first client of a namespace writes: those given, and the defaults
   * for the others.
   */
  public NamespaceSettings orDefaults() {
    return new NamespaceSettings(
        NamespaceSettings.PROTOCOL,
        partitions.orElse(1),
        maxTtl.orElse(NamespaceSettings.MAX_TTL_DEFAULT),
        maxClockStep.orElse(NamespaceSettings.MAX_CLOCK_STEP_DEFAULT));
  }

  /**
   * Returns the settings that the first client of a namespace writes before it opens a session
   * there.
   *
   * @throws BadRequestException if the session's TTL is above their {@code maxTtl}
   */
  public NamespaceSettings orDefaultsFor(Duration ttl) {
    NamespaceSettings settings = orDefaults();
    settings.requireTtl(ttl);
    return settings;
  }

  /**
   * Checks the given settings against those of the namespace.
   *
   * @param where the store's name in messages
   * @throws BadRequestException if a given setting differs
   */
  public void requireMetBy(NamespaceSettings settings, String where) {
    requireEqual(
        "partitions", partitions.orElse(settings.partitions()), settings.partitions(), where);
    requireEqual("maxTtl", maxTtl.orElse(settings.maxTtl()), settings.maxTtl(), where);
    requireEqual(
        "maxClockStep",
        maxClockStep.orElse(settings.maxClockStep()),
        settings.maxClockStep(),
        where);
  }

  private static void requireEqual(String setting, Object given, Object present, String where) {
    if (!Objects.equals(given, present)) {
      throw new BadRequestException(
          "This client was given %s = %s, but the namespace at %s was created with %s. Clients that disagree would split locks in two: give the same value, or leave it out."
              .formatted(setting, given, where, present));
    }
  }
}
