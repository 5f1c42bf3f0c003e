package io.holdfast.spi.support;

import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The looks that are under way, for an adapter that remembers something about a request for as long
 * as it is in a queue. The engine releases a request also while a look at it is under way, and asks
 * about it never again. So what an older answer tells of it must not be remembered. Thread-safe.
 */
public final class LooksUnderWay {

  private final Set<Look> looks = ConcurrentHashMap.newKeySet();

  /** Begins a look, before it reads anything. To be closed when its answers have been taken. */
  public Look begin() {
    Look look = new Look();
    looks.add(look);
    return look;
  }

  /** A request has left its queue. To be called before the adapter forgets it. */
  public void left(RequestId request) {
    looks.forEach(look -> look.left.add(request));
  }

  /** A session is over. To be called before the adapter forgets its requests. */
  public void over(SessionId session) {
    looks.forEach(look -> look.over.add(session));
  }

  /** One look. */
  public final class Look implements AutoCloseable {

    private final Set<RequestId> left = ConcurrentHashMap.newKeySet();
    private final Set<SessionId> over = ConcurrentHashMap.newKeySet();

    private Look() {}

    /**
     * Remembers what was answered about a request, unless it has left since the look began.
     *
     * @param remember what remembers it
     * @param forget what undoes that, if the request leaves meanwhile
     */
    public void remember(RequestId request, Runnable remember, Runnable forget) {
      if (hasLeft(request)) {
        return;
      }
      remember.run();
      if (hasLeft(request)) {
        forget.run();
      }
    }

    private boolean hasLeft(RequestId request) {
      return left.contains(request) || over.contains(request.session());
    }

    @Override
    public void close() {
      looks.remove(this);
    }
  }
}
