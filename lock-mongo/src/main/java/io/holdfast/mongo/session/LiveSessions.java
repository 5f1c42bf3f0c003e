package io.holdfast.mongo.session;

import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.record.RequestId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Those of the requested sessions that are alive, by their ids, and the server's clock. */
public record LiveSessions(Map<String, SessionDocument> alive, ClockReading clock) {

  public @Nullable SessionDocument of(RequestId request) {
    return alive.get(request.session().value());
  }
}
