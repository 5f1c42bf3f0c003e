package io.holdfast.jdbc.database;

import io.holdfast.record.RequestId;
import io.holdfast.spi.answer.Notice;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The notices of a session as they lie in its row: {@code request ";"} for one that must be given
 * up at once, {@code request "," stay ";"} for one that may be kept until a stay is over. There is
 * at most one for each request.
 */
public final class NoticeText {

  private static final String END = ";";

  private NoticeText() {}

  /** Returns the notice of a request that must be given up at once. */
  public static String atOnce(RequestId request) {
    return request + END;
  }

  /** Returns what the notice of a request begins with that may be kept for a while. */
  public static String begin(RequestId request) {
    return request + ",";
  }

  /** Returns the notice of a request that may be kept for a while. */
  public static String of(RequestId request, StoredStay stay) {
    return begin(request) + stay + END;
  }

  /** Returns the notice of a request among those of its session. */
  public static Optional<String> find(String notices, RequestId request) {
    return Arrays.stream(notices.split(END))
        .map(notice -> notice + END)
        .filter(notice -> notice.equals(atOnce(request)) || notice.startsWith(begin(request)))
        .findFirst();
  }

  /** Returns for how long a notice lets its request be kept; empty if not at all. */
  public static Optional<StoredStay> stay(String notice) {
    int comma = notice.indexOf(',');
    return comma < 0
        ? Optional.empty()
        : StoredStay.parse(notice.substring(comma + 1, notice.length() - 1));
  }

  /**
   * Reads the notices of a session. One whose stay cannot be judged leaves no time: what keeps the
   * request in its queue may be near its end.
   *
   * @param now the store's clock
   * @param incarnation that of the clock
   */
  public static List<Notice> parse(String notices, long now, String incarnation) {
    return Arrays.stream(notices.split(END))
        .filter(notice -> !notice.isEmpty())
        .<Notice>map(
            notice ->
                new Notice.Revoked(
                    RequestId.parse(notice.split(",", 2)[0]),
                    stay(notice + END)
                        .filter(stay -> !stay.isDoubtful(now, incarnation))
                        .map(stay -> StoreTime.duration(stay.left(now, incarnation)))
                        .orElse(Duration.ZERO)))
        .toList();
  }
}
