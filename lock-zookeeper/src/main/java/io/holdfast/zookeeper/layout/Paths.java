package io.holdfast.zookeeper.layout;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The paths of all nodes. Below the root:
 *
 * <ul>
 *   <li>{@code namespace}: its settings; {@code namespace/CLOCK}, by which a transaction can check
 *       that it is still the same
 *   <li>{@code sessions/SESSION}: a session; {@code notices/SESSION}: which of its requests were
 *       revoked; {@code stays/SESSION/…}: which of its requests have nodes that outlive it
 *   <li>{@code locks/BUCKET/NAME/…}: the requests in the queue of a lock, see {@link RequestNode};
 *       a queue whose count has ended goes on in {@code ~next} below it
 * </ul>
 *
 * <p>A name is its UTF-8 bytes, of which all but letters, digits, {@code _} and {@code -} are
 * written as {@code %XX}. The bucket is the lowest byte of the CRC-32 of the bytes, in hexadecimal
 * digits: a listing of children must fit into one answer, and there may be many locks.
 */
public final class Paths {

  private static final Pattern ROOT =
      Pattern.compile("(?:/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){1,9}");

  /** No node of a lock has a longer name: each byte may be written with three characters. */
  public static final int NAME_LENGTH_MAX = 3 * LockName.BYTES_MAX;

  private static final HexFormat HEX_UPPER = HexFormat.of().withUpperCase();
  private static final int HEX = 16;
  private static final int HEX_DIGITS = 2;

  /** Which of the nodes after that of all locks is a lock's name; the first is empty. */
  private static final int NAME_AT = 2;

  private final String root;

  /**
   * Takes the root, below which all nodes are.
   *
   * @throws BadRequestException if its nodes have other characters than letters, digits and {@code
   *     ._-}
   */
  public Paths(String root) {
    if (!ROOT.matcher(root).matches()) {
      throw new BadRequestException(
          "A path is /NODE/NODE…, each of letters, digits and ._- characters; this is \"%s\"."
              .formatted(root));
    }
    this.root = root;
  }

  public String namespace() {
    return root + "/namespace";
  }

  /** Exists as long as the namespace does whose numbers are counted from that clock. */
  public String namespace(long clockMicros) {
    return namespace() + "/" + clockMicros;
  }

  public String session(SessionId session) {
    return root + "/sessions/" + session;
  }

  /** The node above all sessions, which exists once any was opened. */
  public String sessions() {
    return root + "/sessions";
  }

  public String stays() {
    return root + "/stays";
  }

  public String stays(SessionId session) {
    return stays() + "/" + session;
  }

  public String notices(SessionId session) {
    return root + "/notices/" + session;
  }

  public String locks() {
    return root + "/locks";
  }

  public String bucket(String bucket) {
    return locks() + "/" + bucket;
  }

  /** The queue of a lock. */
  public String queue(LockName name) {
    return bucket(bucketOf(name)) + "/" + encode(name);
  }

  /** The nodes above another, the highest first. */
  static List<String> above(String path) {
    List<String> above = new ArrayList<>();
    for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      above.add(path.substring(0, slash));
    }
    return above;
  }

  private static String bucketOf(LockName name) {
    CRC32 crc = new CRC32();
    crc.update(name.bytes());
    return HexFormat.of().toHexDigits((byte) crc.getValue());
  }

  private static String encode(LockName name) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : name.bytes()) {
      if (isPlain(b)) {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(HEX_UPPER.toHexDigits(b));
      }
    }
    return encoded.toString();
  }

  private static boolean isPlain(byte b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || b == '_'
        || b == '-';
  }

  /** Returns the lock in whose queue a request's node is, on any level. */
  public Optional<LockName> nameAt(String place) {
    String[] nodes = place.substring(locks().length()).split("/", -1);
    return nodes.length <= NAME_AT ? Optional.empty() : nameOf(nodes[NAME_AT]);
  }

  /** Returns the lock whose queue has that node; empty if it is no lock's. */
  public static Optional<LockName> nameOf(String node) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      for (int i = 0; i < node.length(); i++) {
        if (node.charAt(i) == '%') {
          bytes.write(Integer.parseInt(node.substring(i + 1, i + 1 + HEX_DIGITS), HEX));
          i += HEX_DIGITS;
        } else {
          bytes.write(node.charAt(i));
        }
      }
      LockName name = new LockName(bytes.toString(StandardCharsets.UTF_8));
      return encode(name).equals(node) ? Optional.of(name) : Optional.empty();
    } catch (BadRequestException | IndexOutOfBoundsException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
