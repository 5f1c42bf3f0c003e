package io.holdfast.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.RequestId;
import io.holdfast.SessionId;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Which requests of a session were revoked, as its node of notices has them: the serial number of
 * each on a line.
 */
record Notices(Set<RequestId> revoked) {

  static final Notices NONE = new Notices(Set.of());

  static Notices of(SessionId session, byte[] data) {
    return new Notices(
        Arrays.stream(new String(data, UTF_8).split("\n", -1))
            .filter(line -> !line.isEmpty())
            .map(line -> new RequestId(session, Long.parseLong(line)))
            .collect(Collectors.toCollection(LinkedHashSet::new)));
  }

  byte[] encoded() {
    return revoked.stream()
        .map(request -> request.serial() + "\n")
        .collect(Collectors.joining())
        .getBytes(UTF_8);
  }

  /** Changes notices, one change at a time by compare-and-set. */
  record Book(Paths paths, Steps steps) {

    /**
     * Adds a notice, or writes it again.
     *
     * @return what tells the time of the write; empty if the session is over
     */
    Optional<Stat> add(RequestId request) {
      return change(request, true);
    }

    /** Removes a notice, if it is there. */
    Optional<Stat> remove(RequestId request) {
      return change(request, false);
    }

    /** Until nobody else has changed them meanwhile; whoever did has come further. */
    private Optional<Stat> change(RequestId request, boolean told) {
      String path = paths.notices(request.session());
      while (true) {
        Flight reading = steps.flight();
        reading.sync(path);
        Answer<Node> node = reading.node(path);
        reading.land();
        if (node.value().isEmpty()) {
          return Optional.empty();
        }
        Set<RequestId> revoked =
            new LinkedHashSet<>(of(request.session(), node.value().get().data()).revoked());
        boolean changed = told ? revoked.add(request) : revoked.remove(request);
        if (!changed && !told) {
          return Optional.of(node.value().get().stat());
        }
        Flight writing = steps.flight();
        Answer<Stat> written =
            writing.write(
                path, new Notices(revoked).encoded(), node.value().get().stat().getVersion());
        writing.land();
        if (written.code() != Code.BADVERSION) {
          return written.value();
        }
      }
    }
  }
}
