package io.holdfast.zookeeper.layout;

import io.holdfast.LockMode;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Request;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request's node in a queue, by its name: {@code MODE-IFHELD-SESSION-SERIAL-SEQUENCE}. With a
 * lock-delay a {@code d} follows IFHELD, and the node is persistent: it hangs on no ZooKeeper
 * session. Its data is {@link RequestData}.
 *
 * @param path the node
 * @param asked the mode that the request has asked for; it may have been downgraded since
 * @param hasDelay whether the request has asked for a lock-delay
 * @param sequence what ZooKeeper has counted in this queue; the smallest comes first
 */
public record RequestNode(
    String path, RequestId request, LockMode asked, boolean hasDelay, int sequence) {

  /**
   * Where a queue's count ends: further requests join one level below. Long before ZooKeeper's own
   * end, after which all nodes bear one number.
   */
  public static final int END = 2_000_000_000;

  /** In the order of the queue: each level stands below the one before it. */
  public static final Comparator<RequestNode> ORDER =
      Comparator.comparingInt(RequestNode::depth).thenComparingInt(RequestNode::sequence);

  private static final Pattern NAME =
      Pattern.compile("([xs])-[rq](d?)-([0-9a-f]{32}-[0-9]{1,19})-(-?[0-9]{10})");

  /** Returns the path that a request's node is asked for; ZooKeeper appends the sequence. */
  public static String wanted(String queue, Request request) {
    char ifHeld =
        switch (request.ifHeld()) {
          case REFUSE -> 'r';
          case QUEUE -> 'q';
        };
    String delay = request.hasLockDelay() ? "d-" : "-";
    return queue + '/' + letter(request.mode()) + '-' + ifHeld + delay + request.id() + '-';
  }

  static char letter(LockMode mode) {
    return switch (mode) {
      case EXCLUSIVE -> 'x';
      case SHARED -> 's';
    };
  }

  /** Returns the node that was made for a request, by the path that ZooKeeper gave it. */
  public static RequestNode made(String path, Request request) {
    int name = path.lastIndexOf('/') + 1;
    String id = request.id().toString();
    int sequence = path.indexOf(id, name) + id.length();
    return new RequestNode(
        path,
        request.id(),
        request.mode(),
        request.hasLockDelay(),
        Integer.parseInt(path.substring(sequence + 1)));
  }

  /** Reads the name of a node; empty if it is not a request's. */
  public static Optional<RequestNode> of(String path) {
    Matcher name = NAME.matcher(path.substring(path.lastIndexOf('/') + 1));
    if (!name.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new RequestNode(
            path,
            RequestId.parse(name.group(3)),
            name.group(1).equals("x") ? LockMode.EXCLUSIVE : LockMode.SHARED,
            !name.group(2).isEmpty(),
            Integer.parseInt(name.group(4))));
  }

  /** Returns the requests' nodes among others. */
  public static List<RequestNode> among(String queue, List<String> names) {
    return names.stream().flatMap(name -> of(queue + "/" + name).stream()).toList();
  }

  /** Returns whether it stands in no queue, since the count had ended before. */
  public boolean isPastEnd() {
    // ZooKeeper's own count may turn below zero when it has come to its greatest number.
    return sequence < 0 || sequence >= END;
  }

  /** Returns whether it stands in that level of a queue. */
  public boolean isIn(String level) {
    return path.lastIndexOf('/') == level.length() && path.startsWith(level);
  }

  private int depth() {
    int depth = 0;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      depth++;
    }
    return depth;
  }

  public boolean isBefore(RequestNode other) {
    return ORDER.compare(this, other) < 0;
  }
}
