package io.holdfast.tck.store;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.network.Framing;

/**
 * Has clients reach the store over TCP through another port than its own, so that the kit can put a
 * proxy between them and the store.
 */
public interface NetworkControl {

  /** Returns the port of 127.0.0.1 on which the server listens. */
  int serverPort();

  /**
   * Returns how the kit tells the messages of one connection apart: a framing of {@code
   * io.holdfast.tck.network} if it has one for the protocol, one of your own otherwise, or {@link
   * Framing#none()}. With the last one the rules about single messages are not proved; all other
   * rules about networks run.
   */
  default Framing framing() {
    return Framing.none();
  }

  /** Connects like {@link TckStore#connect}, but to that port of 127.0.0.1. */
  LockBackend connect(int port, BackendOptions options);

  /** Returns the URI under which a child process reaches the same namespace through that port. */
  String uri(int port);
}
