package io.holdfast.zookeeper.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.spi.Request;
import io.holdfast.spi.support.QueueEntry;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request's node in a queue, by its name: {@code MODE-IFHELD-SESSION-SERIAL-SEQUENCE}. Its data
 * is a line with the process, a line with the length of the reason in bytes, the reason, and then
 * the payload.
 *
 * @param path the node
 * @param sequence what ZooKeeper has counted in this queue; the smallest comes first
 */
public record RequestNode(String path, RequestId request, LockMode mode, int sequence) {

  /**
   * Where a queue's count ends: further requests join one level below. Long before ZooKeeper's own
   * end, after which all nodes bear one number.
   */
  public static final int END = 2_000_000_000;

  /** In the order of the queue: each level stands below the one before it. */
  public static final Comparator<RequestNode> ORDER =
      Comparator.comparingInt(RequestNode::depth).thenComparingInt(RequestNode::sequence);

  private static final Pattern NAME =
      Pattern.compile("([xs])-[rq]-([0-9a-f]{32}-[0-9]{1,19})-(-?[0-9]{10})");
  private static final byte LINE_END = '\n';

  /** Returns the path that a request's node is asked for; ZooKeeper appends the sequence. */
  public static String wanted(String queue, Request request) {
    char mode =
        switch (request.mode()) {
          case EXCLUSIVE -> 'x';
          case SHARED -> 's';
        };
    char ifHeld =
        switch (request.ifHeld()) {
          case REFUSE -> 'r';
          case QUEUE -> 'q';
        };
    return queue + '/' + mode + '-' + ifHeld + '-' + request.id() + '-';
  }

  /** Returns the node that was made for a request, by the path that ZooKeeper gave it. */
  public static RequestNode made(String path, Request request) {
    int name = path.lastIndexOf('/') + 1;
    String id = request.id().toString();
    int sequence = path.indexOf(id, name) + id.length();
    return new RequestNode(
        path, request.id(), request.mode(), Integer.parseInt(path.substring(sequence + 1)));
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
            RequestId.parse(name.group(2)),
            name.group(1).equals("x") ? LockMode.EXCLUSIVE : LockMode.SHARED,
            Integer.parseInt(name.group(3))));
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

  /** Returns what is stored for a request. */
  public static byte[] encode(Request request) {
    byte[] why = request.why().getBytes(UTF_8);
    byte[] head = (request.process() + "\n" + why.length + "\n").getBytes(UTF_8);
    byte[] payload = request.payload().bytes();
    ByteBuffer all = ByteBuffer.allocate(head.length + why.length + payload.length);
    return all.put(head).put(why).put(payload).array();
  }

  /** Returns the request with what is stored for it. */
  public QueueEntry entry(byte[] data) {
    int first = lineEnd(data, 0);
    int second = lineEnd(data, first + 1);
    int why = second + 1;
    int payload = why + Integer.parseInt(text(data, first + 1, second));
    return new QueueEntry(
        request,
        mode,
        new ProcessIdentity(text(data, 0, first)),
        text(data, why, payload),
        Payload.of(Arrays.copyOfRange(data, payload, data.length)));
  }

  private static int lineEnd(byte[] data, int from) {
    int end = from;
    while (data[end] != LINE_END) {
      end++;
    }
    return end;
  }

  private static String text(byte[] data, int from, int to) {
    return new String(data, from, to - from, UTF_8);
  }
}
