package io.holdfast.zookeeper.layout;

import org.apache.zookeeper.data.Stat;

/**
 * A time by the clock of a leader. Times of two leaders are never compared.
 *
 * @param term the leader's: the first half of the number of a transaction
 * @param millis since 1970
 */
public record Moment(long term, long millis) {

  private static final int TERM_SHIFT = 32;
  private static final char AT = '@';

  /** Returns when a node was last written. */
  public static Moment ofWrite(Stat stat) {
    return new Moment(stat.getMzxid() >>> TERM_SHIFT, stat.getMtime());
  }

  static Moment parse(String text) {
    int at = text.indexOf(AT);
    return new Moment(
        Long.parseLong(text.substring(at + 1)), Long.parseLong(text.substring(0, at)));
  }

  String encode() {
    return "" + millis + AT + term;
  }
}
