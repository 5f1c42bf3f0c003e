package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.Contender;

/** What all peers have in common: that they are peers. */
interface Peer extends Contender {

  @Override
  default Role role() {
    return Role.PEER;
  }
}
