package io.holdfast.benchmarks.simulation;

/**
 * The costs of the thread by which a client sees for itself that it has been handed a lock, where
 * the store tells nobody. It asks at once when there is news, then once more after a short pause,
 * and then after one four times as long each, up to the longest.
 *
 * @param news what wakes it
 * @param ask statements of asking once
 * @param read statements more while one of its requests waits
 * @param reading when it reads
 * @param firstPauseMillis how long it rests after news
 * @param longestPauseMillis how long it rests while there is none
 */
public record WatchCosts(
    News news, int ask, int read, Reading reading, int firstPauseMillis, int longestPauseMillis) {

  /** What wakes a watch. */
  public enum News {
    /** Nothing: there is none. */
    NEVER,
    /** Each write to the file, by whomever. */
    WRITES,
    /** The client that hands a lock over, which wakes the new holder and the next in line. */
    HAND_OVERS
  }

  /** When a watch reads how requests stand. */
  public enum Reading {
    /** Each time that it asks. */
    ALWAYS,
    /** Once for all news. */
    AFTER_NEWS
  }

  /** Of a store that tells by itself, or whose waiters poll. */
  public static final WatchCosts NONE = new WatchCosts(News.NEVER, 0, 0, Reading.ALWAYS, 1, 1_000);

  private static final int MORE_RARELY = 4;

  /** It rests a millisecond at least, and longer if asking takes long. */
  private static final double NEWS_MAX = 1_000;

  /** Returns the statements of a watch while there is no news, a second. */
  public double idle(boolean waits) {
    return (ask + (waits && reading == Reading.ALWAYS ? read : 0)) * 1e3 / longestPauseMillis;
  }

  /**
   * Returns the statements from one piece of news to the next.
   *
   * @param millis how far they are apart
   * @param waits whether a request of the client waits
   */
  public double between(double millis, boolean waits) {
    int pause = firstPauseMillis;
    double at = 0;
    double asks = 1;
    while (pause < longestPauseMillis && at + pause < millis) {
      asks++;
      at += pause;
      pause = Math.min(MORE_RARELY * pause, longestPauseMillis);
    }
    if (at + longestPauseMillis < millis) {
      asks += Math.floor((millis - at) / longestPauseMillis);
    }
    double reads = !waits ? 0 : reading == Reading.ALWAYS ? asks : 1;
    return asks * ask + reads * read;
  }

  /**
   * Returns the statements of a watch a second, at most.
   *
   * @param newsPerSecond how much news there is, evenly
   * @param waits whether a request of the client waits
   */
  public double perSecond(double newsPerSecond, boolean waits) {
    double seen = Math.min(newsPerSecond, NEWS_MAX);
    return seen == 0 ? idle(waits) : seen * between(1e3 / seen, waits);
  }
}
