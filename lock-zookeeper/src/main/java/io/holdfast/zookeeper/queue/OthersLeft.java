package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.spi.answer.Released;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.List;

/** How a request stood that has left, by those that were there after it. */
record OthersLeft(Paths paths, QueueReader reader) {

  Released afterExclusive(Call call, LockName name, int left) {
    return QueueListing.hasRequests(call, paths.queue(name), left)
        ? Released.HANDED_ON
        : Released.FREED;
  }

  /** One that shared the lock has left: the first of the others tells whether any still does. */
  Released afterShared(Call call, LockName name, RequestNode mine, int left) {
    return QueueListing.read(call, paths.queue(name), left)
        .map(rest -> afterShared(call, mine, rest.inOrder()))
        .orElse(Released.SHARED);
  }

  private Released afterShared(Call call, RequestNode mine, List<RequestNode> rest) {
    if (rest.isEmpty()) {
      return Released.FREED;
    }
    RequestNode first = rest.get(0);
    boolean goesOn =
        first.asked() == LockMode.SHARED || (first.isBefore(mine) && isDowngraded(call, first));
    return goesOn ? Released.SHARED : Released.HANDED_ON;
  }

  private boolean isDowngraded(Call call, RequestNode place) {
    return reader.entry(call, place).filter(Entry::shares).isPresent();
  }

  /** Of one that was read before it left, as it was read: a downgrade is for holders. */
  Released afterRequest(Call call, Entry mine, List<RequestNode> rest) {
    if (mine.place().isPastEnd()) {
      return Released.WAS_WAITING;
    }
    boolean isDowngraded = mine.place().asked() == LockMode.EXCLUSIVE && mine.shares();
    return isDowngraded ? afterShared(call, mine.place(), rest) : after(call, mine.place(), rest);
  }

  Released after(Call call, RequestNode mine, List<RequestNode> rest) {
    List<RequestNode> ahead = rest.stream().filter(place -> place.isBefore(mine)).toList();
    if (mine.asked() == LockMode.SHARED) {
      return share(call, ahead) ? afterShared(call, mine, rest) : Released.WAS_WAITING;
    }
    if (!ahead.isEmpty()) {
      return Released.WAS_WAITING;
    }
    return rest.isEmpty() ? Released.FREED : Released.HANDED_ON;
  }

  /** Returns whether all of these share the lock. */
  private boolean share(Call call, List<RequestNode> ahead) {
    return ahead.isEmpty()
        || (ahead.stream().skip(1).allMatch(place -> place.asked() == LockMode.SHARED)
            && (ahead.get(0).asked() == LockMode.SHARED || isDowngraded(call, ahead.get(0))));
  }
}
