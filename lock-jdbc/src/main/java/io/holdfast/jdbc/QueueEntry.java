package io.holdfast.jdbc;

import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.Waiter;

/** One request as it stands in a queue. */
record QueueEntry(
    RequestId request, LockMode mode, ProcessIdentity process, String why, Payload payload) {

  Waiter asWaiter() {
    return new Waiter(request, mode, process, why);
  }
}
