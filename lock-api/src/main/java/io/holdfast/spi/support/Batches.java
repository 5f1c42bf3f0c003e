package io.holdfast.spi.support;

import java.util.ArrayList;
import java.util.List;

/** Divides the items of a verb into batches, for stores that bound the size of one request. */
public final class Batches {

  private Batches() {}

  /**
   * Returns views of consecutive parts of a list, each of at most the given size; none for an empty
   * list.
   */
  public static <T> List<List<T>> of(List<T> all, int size) {
    List<List<T>> batches = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      batches.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return batches;
  }
}
