package io.holdfast.zookeeper;

import java.time.Duration;

/** Lines of our own: one for each session, and one for nobody. */
final class OwnLines implements Lines {

  /** So long a session of nobody stays with the servers after we have left it. */
  private static final Duration NOBODYS_TIMEOUT = Duration.ofSeconds(10);

  private final Dialer dialer;
  private final OwnLine ofNobody;
  private volatile boolean closed;

  OwnLines(Dialer dialer) {
    this.dialer = dialer;
    this.ofNobody = OwnLine.ofNobody(dialer, NOBODYS_TIMEOUT);
  }

  @Override
  public Line ofNobody() {
    return ofNobody;
  }

  @Override
  public Line ofNewSession(Duration timeout) {
    return OwnLine.ofNewSession(dialer, timeout);
  }

  @Override
  public Line ofSession(SessionRef session, Duration timeout) {
    return OwnLine.ofSession(
        dialer, timeout, new Handle.Identity(session.owner(), session.password()));
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    ofNobody.leave();
  }
}
