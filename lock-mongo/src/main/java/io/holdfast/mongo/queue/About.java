package io.holdfast.mongo.queue;

import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;

/**
 * The texts about a request for people.
 *
 * @param process the process that asks
 * @param why the reason, possibly empty
 * @param payload the bytes published while it holds the lock
 */
record About(ProcessIdentity process, String why, Payload payload) {

  /** Of a request of which nothing is on record. */
  static final About NOTHING = new About(new ProcessIdentity("unknown"), "", Payload.EMPTY);
}
