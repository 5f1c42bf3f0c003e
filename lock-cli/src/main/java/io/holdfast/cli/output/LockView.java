package io.holdfast.cli.output;

import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.record.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows a lock's record as JSON, whose field names are stable, and as text, which may change. */
public final class LockView {

  private LockView() {}

  public static Map<String, @Nullable Object> json(LockRecord lock) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("name", lock.name().value());
    fields.put("held", lock.isHeld());
    // As strings, because many JSON readers round numbers beyond 2^53.
    fields.put("token", lock.token().map(Object::toString).orElse(null));
    fields.put("number", Long.toString(lock.number()));
    fields.put("holder", lock.holder().map(LockView::json).orElse(null));
    fields.put("holders", lock.holders().stream().map(LockView::json).toList());
    fields.put("waiters", lock.waiters().stream().map(LockView::json).toList());
    fields.put("waiting", lock.waiting());
    return fields;
  }

  private static Map<String, @Nullable Object> json(Holder holder) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("process", holder.process().value());
    fields.put("why", holder.why());
    fields.put("mode", lower(holder.mode()));
    fields.put("since", holder.since().toString());
    fields.put("liveness", lower(holder.liveness()));
    fields.put("revokedAt", holder.revokedAt().map(Object::toString).orElse(null));
    fields.put("stay", holder.stay().map(LockView::json).orElse(null));
    fields.put("countsForMillis", holder.countsFor().map(Duration::toMillis).orElse(null));
    fields.put("payloadBase64", Base64.getEncoder().encodeToString(holder.payload().bytes()));
    putIds(fields, holder.request());
    return fields;
  }

  private static Map<String, @Nullable Object> json(Stay stay) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("reason", lower(stay.reason()));
    fields.put("leftMillis", stay.left().toMillis());
    return fields;
  }

  static Map<String, @Nullable Object> json(Waiter waiter) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("process", waiter.process().value());
    fields.put("why", waiter.why());
    fields.put("mode", lower(waiter.mode()));
    putIds(fields, waiter.request());
    return fields;
  }

  private static void putIds(Map<String, @Nullable Object> fields, RequestId request) {
    fields.put("session", request.session().value());
    fields.put("request", request.toString());
  }

  /**
   * Returns all that is known of one lock, on several lines.
   *
   * @param now by this machine's clock
   */
  public static String text(LockRecord lock, Instant now) {
    StringBuilder text = new StringBuilder();
    add(text, "name", clean(lock.name().value()));
    if (lock.holders().isEmpty()) {
      addFree(text, lock);
    }
    lock.holders().forEach(holder -> add(text, lock, holder, now));
    List<Waiter> waiters = lock.waiters();
    for (int i = 0; i < waiters.size(); i++) {
      Waiter waiter = waiters.get(i);
      String why = waiter.why().isEmpty() ? "" : " (" + clean(waiter.why()) + ")";
      add(text, "waiter " + (i + 1), clean(waiter.process().value()) + why);
    }
    if (lock.moreWaiters() > 0) {
      add(text, "and", lock.moreWaiters() + " more wait behind them");
    }
    return text.toString();
  }

  /** Returns who has one lock and how many wait for it, on one line. */
  public static String line(LockRecord lock) {
    StringBuilder line = new StringBuilder(clean(lock.name().value()));
    if (lock.holders().isEmpty()) {
      line.append("  free");
    } else {
      boolean isShared = lock.holders().get(0).mode() == LockMode.SHARED;
      line.append(isShared ? "  shared by " : "  held by ");
      line.append(
          lock.holders().stream().map(LockView::whoAndWhy).collect(Collectors.joining(", ")));
      lock.token().ifPresent(token -> line.append(", token ").append(token));
    }
    if (lock.waiting() > 0) {
      line.append(", ").append(lock.waiting()).append(lock.waiting() == 1 ? " waits" : " wait");
    }
    return line.toString();
  }

  private static String whoAndWhy(Holder holder) {
    String revoked = holder.revokedAt().isPresent() ? " [revoked]" : "";
    String why = holder.why().isEmpty() ? "" : " (" + clean(holder.why()) + ")";
    return who(holder) + revoked + why;
  }

  private static void addFree(StringBuilder text, LockRecord lock) {
    add(text, "held", "no");
    lock.token().ifPresent(token -> add(text, "last token", token.toString()));
  }

  private static void add(StringBuilder text, LockRecord lock, Holder holder, Instant now) {
    add(text, "holder", who(holder));
    if (holder.equals(lock.holders().get(0))) { // The others may have tokens of their own.
      lock.token().ifPresent(token -> add(text, "token", token.toString()));
    }
    Duration ago = Duration.between(holder.since(), now);
    add(text, "since", holder.since() + " (" + Durations.brief(ago) + " ago)");
    if (!holder.why().isEmpty()) {
      add(text, "why", clean(holder.why()));
    }
    add(text, "mode", lower(holder.mode()));
    add(text, "session", holder.request().session().value());
    holder
        .countsFor()
        .filter(left -> holder.liveness() == Liveness.LIVE)
        .ifPresent(left -> add(text, "lease left", Durations.show(left)));
    holder.revokedAt().ifPresent(at -> add(text, "revoked", at.toString()));
    holder.stay().ifPresent(stay -> add(text, "stays", text(stay)));
    Payload payload = holder.payload();
    if (!payload.isEmpty()) {
      add(text, "payload", clean(payload.text()));
    }
  }

  private static String text(Stay stay) {
    String left = Durations.show(stay.left());
    return switch (stay.reason()) {
      case REVOKED -> left + " until it may be evicted";
      case LOCK_DELAY -> left + " after its session ended (lock-delay)";
      case AT_LEAST -> left + " of its least time";
    };
  }

  private static void add(StringBuilder text, String label, String value) {
    text.append("%-11s %s%n".formatted(label + ":", value));
  }

  /** Returns the holder's process, with a note if its session does not live. */
  public static String who(Holder holder) {
    String who = clean(holder.process().value());
    return switch (holder.liveness()) {
      case LIVE -> who;
      case STAYING -> who + " [staying]";
      case LAPSED -> who + " [lapsed]";
      case ENDED -> who + " [session over]";
      case REVOCATION_DUE -> who + " [revocation due]";
    };
  }

  /** Returns the text without characters that would control the terminal on which it is shown. */
  public static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c ->
                clean.appendCodePoint(
                    Character.isISOControl(c) || Character.getType(c) == Character.FORMAT
                        ? '\ufffd'
                        : c));
    return clean.toString();
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
