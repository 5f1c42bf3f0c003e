package io.holdfast.spi.answer;

import java.util.Comparator;

/**
 * The place of a lock's state among all states of this lock, in the order in which the store made
 * them. Two states may have one edition if the store cannot tell them apart.
 *
 * <p>Not a token: where each of those who share a lock has a number of its own, the greatest number
 * that holds the lock falls when the youngest of them leaves.
 *
 * @param number the number of the record, or the revision of the store
 * @param version counts the changes under that number; 0 if the store counts none
 */
public record Edition(long number, long version) implements Comparable<Edition> {

  private static final Comparator<Edition> ORDER =
      Comparator.comparingLong(Edition::number).thenComparingLong(Edition::version);

  @Override
  public int compareTo(Edition other) {
    return ORDER.compare(this, other);
  }
}
