package io.holdfast.tck.store;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.network.Framing;

/**
 * Clients reach the store over TCP, and can be made to do so through a port that is not its own.
 */
public interface NetworkControl {

  /** Returns the port of 127.0.0.1 on which the server listens. */
  int serverPort();

  /**
   * Returns how the messages of one connection are told apart: one of {@code
   * io.holdfast.tck.network} for the protocols there, one of your own for another, or {@link
   * Framing#none()}, with which the rules about single messages are not proved and all others about
   * networks run.
   */
  default Framing framing() {
    return Framing.none();
  }

  /** Connects like {@link TckStore#connect}, but to that port of 127.0.0.1. */
  LockBackend connect(int port, BackendOptions options);

  /** Returns the URI under which a child process reaches the same namespace through that port. */
  String uri(int port);
}
