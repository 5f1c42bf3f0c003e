package io.holdfast.jdbc.postgres.locks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockMode;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.Request;
import java.util.HashMap;
import java.util.Map;

/** The parts of a request in the tables. */
final class Entry {

  private static final String EXCLUSIVE = "x";
  private static final String SHARED = "s";

  private Entry() {}

  /** Returns the parameters of a statement that may put a request into a table. */
  static Map<String, Object> parameters(Request request) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("name", request.name().bytes());
    parameters.put("session", request.id().session().value());
    parameters.put("request", request.id().toString());
    parameters.put("mode", text(request.mode()));
    parameters.put("process", request.process().value());
    parameters.put("why", request.why().getBytes(UTF_8)); // A text could not have every character.
    parameters.put("payload", request.payload().bytes());
    parameters.put("delay", StoreTime.micros(request.lockDelay()));
    return parameters;
  }

  private static String text(LockMode mode) {
    return switch (mode) {
      case EXCLUSIVE -> EXCLUSIVE;
      case SHARED -> SHARED;
    };
  }

  static LockMode mode(String text) {
    return switch (text) {
      case EXCLUSIVE -> LockMode.EXCLUSIVE;
      case SHARED -> LockMode.SHARED;
      default -> throw new IllegalArgumentException("Not a mode: " + text);
    };
  }
}
