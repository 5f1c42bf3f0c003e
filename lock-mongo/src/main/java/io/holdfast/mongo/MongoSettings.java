package io.holdfast.mongo;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What could be otherwise about locks in MongoDB; the tests make use of it.
 *
 * @param idle how long a free record, or a session that is over, is kept
 * @param onCommand is told what every command is for before it is sent
 */
record MongoSettings(Duration idle, Consumer<String> onCommand) {

  static MongoSettings standard() {
    return new MongoSettings(Duration.ofDays(1), text -> {});
  }

  MongoSettings onCommand(Consumer<String> other) {
    return new MongoSettings(idle, other);
  }
}
