package io.holdfast.zookeeper.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.zookeeper.data.Stat;

/**
 * Which requests of a session were revoked, as its node of notices has them: on a line each the
 * serial number, and where the holder has a time, {@code MILLIS} and since when, {@code
 * MILLIS@TERM}; that is not there if it was the last write to the node.
 *
 * @param told each request with the times after which it must not hold, all of which count; none if
 *     it must give up at once
 */
public record Notices(Map<RequestId, List<StoredStay>> told) {

  public static final Notices NONE = new Notices(Map.of());

  public static Notices of(SessionId session, byte[] data) {
    Map<RequestId, List<StoredStay>> told = new LinkedHashMap<>();
    for (String line : new String(data, UTF_8).split("\n", -1)) {
      if (!line.isEmpty()) {
        String[] fields = line.split(" ", -1);
        RequestId request = new RequestId(session, Long.parseLong(fields[0]));
        List<StoredStay> times = told.computeIfAbsent(request, first -> new ArrayList<>());
        time(fields).ifPresent(times::add);
      }
    }
    return new Notices(told);
  }

  private static Optional<StoredStay> time(String[] fields) {
    return fields.length == 1
        ? Optional.empty()
        : Optional.of(
            new StoredStay(
                Stay.Reason.REVOKED,
                Duration.ofMillis(Long.parseLong(fields[1])),
                fields.length > 2 ? Optional.of(Moment.parse(fields[2])) : Optional.empty()));
  }

  public boolean tells(RequestId request) {
    return told.containsKey(request);
  }

  /**
   * Returns these with another one, for a node that was written then.
   *
   * @param length the time that the holder has; zero if it must give up at once
   */
  public Notices with(RequestId request, Duration length, Stat written) {
    Map<RequestId, List<StoredStay>> all = runningOn(written);
    List<StoredStay> before = all.get(request);
    if (length.isZero() || (before != null && before.isEmpty())) {
      all.put(request, List.of());
      return new Notices(all);
    }
    StoredStay next = StoredStay.beginning(Stay.Reason.REVOKED, length);
    List<StoredStay> times = new ArrayList<>(before == null ? List.of() : before);
    // One that began before and is no longer ends first.
    if (times.stream().noneMatch(time -> time.length().compareTo(next.length()) <= 0)) {
      times.add(next);
    }
    all.put(request, times);
    return new Notices(all);
  }

  /** Returns these without one, for a node that was written then. */
  public Notices without(RequestId request, Stat written) {
    Map<RequestId, List<StoredStay>> all = runningOn(written);
    all.remove(request);
    return new Notices(all);
  }

  private Map<RequestId, List<StoredStay>> runningOn(Stat written) {
    Map<RequestId, List<StoredStay>> all = new LinkedHashMap<>();
    told.forEach(
        (request, times) ->
            all.put(request, times.stream().map(time -> time.runningOn(written)).toList()));
    return all;
  }

  public byte[] encoded() {
    return told.entrySet().stream()
        .map(notice -> lines(notice.getKey().serial(), notice.getValue()))
        .collect(Collectors.joining())
        .getBytes(UTF_8);
  }

  private static String lines(long serial, List<StoredStay> times) {
    return times.isEmpty()
        ? serial + "\n"
        : times.stream()
            .map(
                time ->
                    serial
                        + " "
                        + time.length().toMillis()
                        + time.began().map(began -> " " + began.encode()).orElse("")
                        + "\n")
            .collect(Collectors.joining());
  }
}
