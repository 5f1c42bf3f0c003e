package io.holdfast.zookeeper.session;

import io.holdfast.RequestId;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Notices;
import io.holdfast.zookeeper.layout.Paths;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/** Changes notices, one change at a time by compare-and-set. */
public record NoticeWriter(Paths paths, Call call) {

  /**
   * Adds a notice, or writes it again.
   *
   * @return what tells the time of the write; empty if the session is over
   */
  public Optional<Stat> add(RequestId request) {
    return change(request, true);
  }

  /** Removes a notice, if it is there. */
  public Optional<Stat> remove(RequestId request) {
    return change(request, false);
  }

  /**
   * Repeats until no other client changed the notices in between. Each repetition means that
   * another client made progress.
   */
  private Optional<Stat> change(RequestId request, boolean told) {
    String path = paths.notices(request.session());
    while (true) {
      Pipeline reading = call.pipeline();
      reading.sync(path);
      Answer<Node> node = reading.node(path);
      reading.awaitAnswers();
      if (node.value().isEmpty()) {
        return Optional.empty();
      }
      Set<RequestId> revoked =
          new LinkedHashSet<>(Notices.of(request.session(), node.value().get().data()).revoked());
      boolean changed = told ? revoked.add(request) : revoked.remove(request);
      if (!changed && !told) {
        return Optional.of(node.value().get().stat());
      }
      Pipeline writing = call.pipeline();
      Answer<Stat> written =
          writing.write(
              path, new Notices(revoked).encoded(), node.value().get().stat().getVersion());
      writing.awaitAnswers();
      if (written.code() != Code.BADVERSION) {
        return written.value();
      }
    }
  }
}
