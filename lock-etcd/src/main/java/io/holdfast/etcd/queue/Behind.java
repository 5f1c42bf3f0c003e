package io.holdfast.etcd.queue;

import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.answer.Contention;

/** The requests behind a holder: learnt from a count of keys, without reading them. */
final class Behind {

  private Behind() {}

  /**
   * Counts the whole queue of an exclusive holder. Behind a shared one only exclusive requests
   * wait, or others behind those.
   */
  static Op counted(Keys keys, LockName name, LockMode held) {
    return Ops.countOf(held == LockMode.SHARED ? keys.exclusive(name) : keys.queue(name));
  }

  static Contention contention(long counted, Place.Holds holder) {
    if (Keys.askedAt(holder.key()) == LockMode.EXCLUSIVE) {
      return Contention.of((int) counted - 1); // It is one of those that were counted.
    }
    // The one that is there may be a holder that was downgraded.
    return counted == 1 ? Contention.NOT_KNOWN : Contention.of((int) counted);
  }
}
