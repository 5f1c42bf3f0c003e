package io.holdfast.etcd.session;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.LeaseTimes;
import io.holdfast.etcd.format.Keys;
import io.holdfast.record.RequestId;
import io.holdfast.spi.answer.Notice;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The notices of a session. One that leaves its request some time says how long, counted from the
 * beginning of a lease that its timer is on. Without the timer that time is over.
 *
 * @param told the value of each notice
 * @param leases the leases of the timers, by their keys
 */
record Notices(Map<RequestId, ByteSequence> told, Map<ByteSequence, Long> leases) {

  /** Takes them from all that was found in the range of a session. */
  static Notices of(List<KeyValue> found) {
    Map<RequestId, ByteSequence> told = new LinkedHashMap<>();
    Map<ByteSequence, Long> leases = new HashMap<>();
    for (KeyValue entry : found) {
      Optional<RequestId> request = Keys.noticeAt(entry);
      request.ifPresent(revoked -> told.put(revoked, entry.getValue()));
      if (request.isEmpty()) {
        leases.put(entry.getKey(), entry.getLease());
      }
    }
    return new Notices(told, leases);
  }

  /** Returns them with the times that are left now. */
  List<Notice> told(Keys keys, EtcdCalls calls) {
    LeaseTimes times =
        calls.leaseTimes(
            told.keySet().stream().flatMap(request -> lease(keys, request).stream()).toList());
    return told.entrySet().stream()
        .<Notice>map(
            notice ->
                lease(keys, notice.getKey())
                    .map(lease -> times.leftOf(time(notice.getValue()), lease))
                    .map(left -> new Notice.Revoked(notice.getKey(), left))
                    .orElseGet(() -> new Notice.Revoked(notice.getKey())))
        .toList();
  }

  private Optional<Long> lease(Keys keys, RequestId request) {
    return Optional.ofNullable(leases.get(keys.noticeTimer(request)));
  }

  /** A holder that has to stop at once has no time, also if a timer is there all the same. */
  private static Duration time(ByteSequence notice) {
    return notice.isEmpty()
        ? Duration.ZERO
        : Duration.ofMillis(Long.parseLong(notice.toString(StandardCharsets.UTF_8)));
  }
}
