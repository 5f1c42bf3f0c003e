package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.Contender;

/** The base of all peers, which says that they are peers. */
interface Peer extends Contender {

  @Override
  default Role role() {
    return Role.PEER;
  }
}
