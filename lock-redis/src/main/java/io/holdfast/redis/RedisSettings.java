package io.holdfast.redis;

import java.time.Duration;

/**
 * Settings of the backend that are fixed in production and changed by tests.
 *
 * @param idle how long a record is kept that no client has removed
 * @param beforeScript called before each script of a verb
 */
record RedisSettings(Duration idle, Runnable beforeScript) {

  static RedisSettings standard() {
    return new RedisSettings(Duration.ofDays(1), () -> {});
  }

  RedisSettings beforeScript(Runnable other) {
    return new RedisSettings(idle, other);
  }
}
