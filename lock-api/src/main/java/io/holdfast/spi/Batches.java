package io.holdfast.spi;

import java.util.ArrayList;
import java.util.List;

/** Divides what a verb asks for where a store bounds what one request may ask. */
public final class Batches {

  private Batches() {}

  /** Returns views of a list in its order, each of that size at most; none of an empty list. */
  public static <T> List<List<T>> of(List<T> all, int size) {
    List<List<T>> batches = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      batches.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return batches;
  }
}
