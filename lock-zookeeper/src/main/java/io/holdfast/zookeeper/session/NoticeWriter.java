package io.holdfast.zookeeper.session;

import io.holdfast.record.RequestId;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Notices;
import io.holdfast.zookeeper.layout.Paths;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/** Changes notices, one change at a time by compare-and-set. */
public record NoticeWriter(Paths paths, Call call) {

  /**
   * Adds a notice, or writes it again.
   *
   * @param left the time that the holder has; zero if it must give up at once
   * @return what tells the time of the write; empty if the session is over
   */
  public Optional<Stat> add(RequestId request, Duration left) {
    return change(request, node -> Optional.of(of(request, node).with(request, left, node.stat())));
  }

  /** Removes a notice, if it is there. */
  public Optional<Stat> remove(RequestId request) {
    return change(
        request,
        node ->
            Optional.of(of(request, node))
                .filter(notices -> notices.tells(request))
                .map(notices -> notices.without(request, node.stat())));
  }

  private static Notices of(RequestId request, Node node) {
    return Notices.of(request.session(), node.data());
  }

  /**
   * Repeats until no other client changed the notices in between. Each repetition means that
   * another client made progress.
   *
   * @param change returns empty if nothing has to be written
   */
  private Optional<Stat> change(RequestId request, Function<Node, Optional<Notices>> change) {
    String path = paths.notices(request.session());
    while (true) {
      Pipeline reading = call.pipeline();
      reading.sync(path);
      Answer<Node> node = reading.node(path);
      reading.awaitAnswers();
      if (node.value().isEmpty()) {
        return Optional.empty();
      }
      Optional<Notices> changed = change.apply(node.value().get());
      if (changed.isEmpty()) {
        return Optional.of(node.value().get().stat());
      }
      Pipeline writing = call.pipeline();
      Answer<Stat> written =
          writing.write(path, changed.get().encoded(), node.value().get().stat().getVersion());
      writing.awaitAnswers();
      if (written.code() != Code.BADVERSION) {
        return written.value();
      }
    }
  }
}
