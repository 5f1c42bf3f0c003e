package io.holdfast.tck.history;

import io.holdfast.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A history made up. Each line tells of one process, which has one client, step by step, with
 * instants in nanoseconds:
 *
 * <pre>
 * p1: requested 0, granted 10 1, believed 11 12, released 20 21
 * p2/w2: requested 5 100 other, timedout 105
 * p1: killed 30 31
 * </pre>
 *
 * <p>{@code requested AT [MAX_WAIT|forever [LOCK [MODE [AT_LEAST [LOCK_DELAY [AT_MOST]]]]]]} begins
 * another request of the worker; the other steps are written as {@link HistoryLine} writes them,
 * without what does not matter. A session is one digit; steps that do not name theirs are about
 * session 1. {@code stayed} is {@code released} with the lock staying taken.
 */
public final class Forgery {

  private static final Set<String> OF_PROCESS = Set.of("killed", "paused", "continued");
  private static final Set<String> OF_CLIENT = Set.of("opened", "expired", "closing", "closed");
  private static final Set<String> OF_SESSION = Set.of("queued", "opened", "expired");
  private static final Map<String, String> REST =
      Map.of("lost", " SESSION_ENDED", "released", " FREED", "failed", " LockInterruptedException");

  private final Map<String, Integer> serials = new HashMap<>();
  private final List<HistoryEvent> events = new ArrayList<>();

  private Forgery() {}

  public static History of(String text) {
    Forgery forgery = new Forgery();
    text.lines().forEach(forgery::tell);
    return History.of(forgery.events);
  }

  private void tell(String line) {
    String[] whoAndWhat = line.split(": ", 2);
    String[] who = whoAndWhat[0].split("/", 2);
    String client = who[0] + "/c";
    String worker = client + "/" + (who.length == 1 ? "w" : who[1]);
    for (String step : whoAndWhat[1].split(", ", -1)) {
      String[] words = step.split(" ", 2);
      String kind = words[0];
      if (kind.equals("requested")) {
        serials.merge(worker, 1, Integer::sum);
        events.add(requested(worker + "/" + serials.get(worker), words[1].split(" ", -1)));
      } else {
        String subject =
            OF_PROCESS.contains(kind)
                ? who[0]
                : OF_CLIENT.contains(kind) ? client : worker + "/" + serials.get(worker);
        events.add(HistoryLine.parse(line(kind, subject, words[1])));
      }
    }
  }

  private static String line(String kind, String subject, String words) {
    if (kind.equals("stayed")) {
      return "released " + subject + " " + words + " STAYS";
    }
    String rest = words + REST.getOrDefault(kind, "");
    if (kind.equals("believed") && words.split(" ", -1).length == 2) {
      rest = words + " 0"; // Nothing is known of its lease.
    }
    return kind + " " + subject + " " + (OF_SESSION.contains(kind) ? inSession(rest) : rest);
  }

  private static String inSession(String instantAndSession) {
    String[] words = instantAndSession.split(" ", -1);
    String digit = words.length > 1 ? words[1] : "1";
    return words[0] + " " + "0".repeat(SessionId.LENGTH - 1) + digit;
  }

  private static HistoryEvent requested(String tag, String[] words) {
    String maxWait = words.length > 1 ? words[1] : "forever";
    String lock = words.length > 2 ? words[2] : "lock";
    String mode = words.length > 3 ? words[3] : "EXCLUSIVE";
    String atLeast = words.length > 4 ? words[4] : "0";
    String lockDelay = words.length > 5 ? words[5] : "0";
    String atMost = words.length > 6 ? words[6] : "unlimited";
    return HistoryLine.parse(
        "requested %s %s %s %s %s %s %s %s"
            .formatted(tag, words[0], lock, maxWait, mode, atLeast, lockDelay, atMost));
  }

  /** Returns the kinds of events in a history. */
  static Set<Class<?>> kinds(History history) {
    Set<Class<?>> kinds = new HashSet<>();
    history.events().forEach(event -> kinds.add(event.getClass()));
    return kinds;
  }
}
