package io.holdfast.zookeeper.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.RequestId;
import io.holdfast.SessionId;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which requests of a session were revoked, as its node of notices has them: the serial number of
 * each on a line.
 */
public record Notices(Set<RequestId> revoked) {

  public static final Notices NONE = new Notices(Set.of());

  public static Notices of(SessionId session, byte[] data) {
    return new Notices(
        Arrays.stream(new String(data, UTF_8).split("\n", -1))
            .filter(line -> !line.isEmpty())
            .map(line -> new RequestId(session, Long.parseLong(line)))
            .collect(Collectors.toCollection(LinkedHashSet::new)));
  }

  public byte[] encoded() {
    return revoked.stream()
        .map(request -> request.serial() + "\n")
        .collect(Collectors.joining())
        .getBytes(UTF_8);
  }
}
