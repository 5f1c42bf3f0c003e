package io.holdfast.tck.history.check;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryEvent.Written;
import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.check.Violation.StaleWriteAccepted;
import io.holdfast.tck.history.check.Violation.UpdateLost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The fenced register of a lock takes no smaller token after a greater one, and a write to it
 * replaces only the value that the writer had read. Both are told by the register's own order of
 * writes.
 */
final class RegisterRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    Map<RequestTag, String> lockOf =
        history.storiesWithGrant().collect(toMap(RequestTimeline::tag, RequestTimeline::lock));
    List<Violation> violations = new ArrayList<>();
    history
        .events(Written.class)
        .sorted(comparingLong(Written::serial))
        .collect(groupingBy(write -> lockOf.get(write.request())))
        .forEach((lock, writes) -> collect(lock, writes, violations));
    return violations;
  }

  private static void collect(String lock, List<Written> writes, List<Violation> violations) {
    Written greatest = writes.get(0);
    for (int i = 1; i < writes.size(); i++) {
      Written last = writes.get(i - 1);
      Written write = writes.get(i);
      if (write.token().compareTo(greatest.token()) < 0) {
        violations.add(new StaleWriteAccepted(lock, greatest, write));
      } else {
        greatest = write;
      }
      if (write.basedOn() < last.serial()) {
        violations.add(new UpdateLost(lock, last, write));
      }
    }
  }
}
