package io.holdfast.etcd.session;

import io.etcd.jetcd.ByteSequence;
import java.util.List;
import java.util.Optional;

/**
 * The keys on the lease of a session. A jetcd client may have a namespace, which it puts before
 * each key and takes off again, but not here, and does not tell: the key of the session itself
 * shows the prefix of all of them.
 *
 * @param keys as they are called in everything else that is asked through the same client
 */
record LeaseKeys(List<ByteSequence> keys) {

  /** Takes them from what etcd has told of a lease; empty if the session is not on it. */
  static Optional<LeaseKeys> of(List<ByteSequence> told, ByteSequence session) {
    return told.stream()
        .filter(key -> endsWith(key, session))
        .findFirst()
        .map(key -> key.size() - session.size())
        .map(before -> new LeaseKeys(told.stream().map(key -> key.substring(before)).toList()));
  }

  private static boolean endsWith(ByteSequence key, ByteSequence end) {
    int from = key.size() - end.size();
    return from >= 0 && key.substring(from).equals(end);
  }
}
