package io.holdfast.redis;

import java.time.Duration;

/**
 * What could be otherwise about locks in Redis; the tests make use of it.
 *
 * @param idle how long a free record is kept
 * @param beforeScript is called before each script of a verb
 */
record RedisSettings(Duration idle, Runnable beforeScript) {

  static RedisSettings standard() {
    return new RedisSettings(Duration.ofDays(1), () -> {});
  }

  RedisSettings beforeScript(Runnable other) {
    return new RedisSettings(idle, other);
  }
}
