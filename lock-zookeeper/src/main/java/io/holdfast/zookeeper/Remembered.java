package io.holdfast.zookeeper;

import io.holdfast.RequestId;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.data.Stat;

/**
 * What is remembered of a request that stands in a queue. Nobody can come in before it: so it holds
 * once all are gone that were before it, and then for as long as its node is there.
 *
 * @param ahead of those that were before it when its queue was last read, the head and the nearest:
 *     none if it holds, one if it was second
 */
record Remembered(Placed placed, List<Place> ahead) {

  private static final int HEAD_AND_NEAREST = 2;

  /** Takes a queue as it was read, in which the request stands. */
  static Remembered in(List<Place> line, Placed placed) {
    int ahead = line.indexOf(placed.place());
    return new Remembered(
        placed,
        Stream.of(0, ahead - 1)
            .filter(i -> i >= 0 && i < ahead)
            .distinct()
            .map(line::get)
            .toList());
  }

  RequestId request() {
    return placed.place().request();
  }

  /** Returns whether nobody else was before it than who is remembered. */
  boolean remembersAllAhead() {
    return ahead.size() < HEAD_AND_NEAREST;
  }

  /** Asks who of those before it is still there. */
  Ahead ask(Flight flight) {
    return new Ahead(
        remembersAllAhead(), ahead.stream().map(place -> flight.stat(place.path())).toList());
  }

  /**
   * Who of those remembered is still there. Read only after the flight has landed.
   *
   * @param isAll whether there were no others
   */
  record Ahead(boolean isAll, List<Answer<Stat>> found) {

    /** Returns whether somebody is before it. If not, there may be others that are not known. */
    boolean isAnybody() {
      return found.stream().anyMatch(Answer::isOk);
    }

    /** Returns whether nobody is before it. */
    boolean isNobody() {
      return isAll && !isAnybody();
    }
  }
}
