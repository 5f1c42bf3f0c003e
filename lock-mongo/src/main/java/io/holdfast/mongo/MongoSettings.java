package io.holdfast.mongo;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Settings of the backend that only tests change.
 *
 * @param idle how long the sweep keeps a free record, or a session that is over
 * @param onCommand receives a short description of each command before it is sent
 */
record MongoSettings(Duration idle, Consumer<String> onCommand) {

  static MongoSettings standard() {
    return new MongoSettings(Duration.ofDays(1), text -> {});
  }

  MongoSettings onCommand(Consumer<String> other) {
    return new MongoSettings(idle, other);
  }
}
