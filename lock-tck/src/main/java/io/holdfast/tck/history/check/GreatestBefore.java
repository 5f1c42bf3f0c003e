package io.holdfast.tck.history.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answers which of the items that lie before a position has the greatest value, the items of one
 * owner left out. Rules compare each request with all others; this keeps a history of a hundred
 * thousand requests from taking hours.
 */
final class GreatestBefore<T> {

  /**
   * An item.
   *
   * @param position where it lies
   * @param value by what it is compared
   * @param owner whom it belongs to
   */
  record Entry<T>(long position, long value, Object owner, T item) {}

  private final List<Entry<T>> sorted;

  /** For each prefix of {@link #sorted} its greatest, and the greatest of all other owners. */
  private final List<Leaders<T>> leaders = new ArrayList<>();

  private record Leaders<T>(Entry<T> best, Optional<Entry<T>> bestOfOthers) {

    Leaders<T> with(Entry<T> next) {
      if (next.owner().equals(best.owner())) {
        return next.value() > best.value() ? new Leaders<>(next, bestOfOthers) : this;
      }
      if (next.value() > best.value()) {
        return new Leaders<>(next, Optional.of(best));
      }
      return bestOfOthers.isEmpty() || next.value() > bestOfOthers.get().value()
          ? new Leaders<>(best, Optional.of(next))
          : this;
    }
  }

  GreatestBefore(Stream<Entry<T>> entries) {
    sorted = entries.sorted(Comparator.comparingLong(Entry::position)).toList();
    for (Entry<T> entry : sorted) {
      leaders.add(
          leaders.isEmpty()
              ? new Leaders<>(entry, Optional.empty())
              : leaders.get(leaders.size() - 1).with(entry));
    }
  }

  /** Returns the item of the greatest value, if it is above a value. */
  Optional<T> above(long value, long beforePosition, Object otherThanOwner) {
    int count = countBefore(beforePosition);
    if (count == 0) {
      return Optional.empty();
    }
    Leaders<T> found = leaders.get(count - 1);
    return (found.best().owner().equals(otherThanOwner)
            ? found.bestOfOthers()
            : Optional.of(found.best()))
        .filter(entry -> entry.value() > value)
        .map(Entry::item);
  }

  private int countBefore(long position) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted.get(middle).position() < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
