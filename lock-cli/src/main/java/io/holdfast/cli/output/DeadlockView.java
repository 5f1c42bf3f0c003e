package io.holdfast.cli.output;

import io.holdfast.deadlock.Deadlock;
import io.holdfast.deadlock.Deadlock.Wait;
import io.holdfast.record.Waiter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows a suspected deadlock as JSON, whose field names are stable, and as text, which may change.
 */
public final class DeadlockView {

  private DeadlockView() {}

  public static Map<String, @Nullable Object> json(Deadlock deadlock) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("locks", deadlock.locks().stream().map(Object::toString).toList());
    fields.put("sessions", deadlock.sessions().stream().map(Object::toString).toList());
    fields.put("waits", deadlock.waits().stream().map(DeadlockView::json).toList());
    return fields;
  }

  private static Map<String, @Nullable Object> json(Wait wait) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("lock", wait.lock().value());
    fields.put("waiter", LockView.json(wait.waiter()));
    fields.put("aheadSession", wait.ahead().session().value());
    fields.put("aheadRequest", wait.ahead().toString());
    fields.put("aheadHolds", wait.aheadHolds());
    return fields;
  }

  /** Returns the circle, one wait on a line. */
  public static String text(Deadlock deadlock) {
    StringBuilder text = new StringBuilder();
    List<Wait> waits = deadlock.waits();
    text.append("%s sessions seem to wait for each other:%n".formatted(waits.size()));
    for (int i = 0; i < waits.size(); i++) {
      Wait wait = waits.get(i);
      Waiter waiter = wait.waiter();
      Waiter next = waits.get((i + 1) % waits.size()).waiter();
      text.append(
          "  %s%s%n      waits for \"%s\", %s %s%n"
              .formatted(
                  who(waiter),
                  waiter.why().isEmpty() ? "" : " (" + LockView.clean(waiter.why()) + ")",
                  LockView.clean(wait.lock().value()),
                  wait.aheadHolds() ? "held by" : "behind",
                  LockView.clean(next.process().value())));
    }
    return text.toString();
  }

  private static String who(Waiter waiter) {
    return "%s, session %s"
        .formatted(LockView.clean(waiter.process().value()), waiter.request().session().value());
  }
}
