package io.holdfast.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/** Reads of many nodes, as many at once as one answer has room for. */
final class Batches {

  private Batches() {}

  static <T> List<List<T>> of(List<T> all, int size) {
    List<List<T>> batches = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      batches.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return batches;
  }

  /** Reads nodes in a flight of their own. */
  static List<OpResult> read(Steps steps, List<Op> reads) {
    Flight flight = steps.flight();
    Answer<List<OpResult>> answer = flight.readAll(reads);
    flight.land();
    return answer.value().orElseThrow();
  }
}
