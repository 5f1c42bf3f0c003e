package io.holdfast.election;

import io.holdfast.Grant;
import io.holdfast.error.LossReason;

/**
 * Acts when it is elected and when its term is over. All methods are called on the one thread of
 * the candidacy, one at a time and in order. Of all candidacies of one client for one name, the
 * next is told that it is elected only after the previous {@link #deposed} has returned. One that
 * cannot be told within the time of its lease gives the lock back for others to lead, and stands
 * again then.
 */
public interface Candidate {

  /**
   * The candidate leads. The term's number is {@link Grant#token()}: send it with every write, so
   * that a resource can refuse a leader whose term is over.
   *
   * <p>May return and let others do the work, or do it here. If the term ends before this method
   * has returned, its thread is interrupted, and {@link #deposed} is called when it has returned.
   * If it throws, the candidate gives its term up, is told so by {@link #deposed}, and stands again
   * after a pause.
   *
   * @param term the grant on which the candidate leads; the candidacy releases it. To release or
   *     close it is to give the term up: the lock passes on at once, and {@link #deposed} follows
   */
  void elected(Grant term) throws Exception;

  /**
   * The term is over. All work for it has to stop before this method returns: if the candidate gave
   * the term up ({@link LossReason#RELEASED}) and has not released its grant itself, the next
   * leader is elected only then. Otherwise the lock may have passed on already. An exception of
   * this method is logged.
   *
   * <p>A leader that is not certain to lead any more does not lead: the term is over when the lease
   * has run out ({@link LossReason#LEASE_EXPIRED}), without a grace time, although a renewal could
   * save the grant yet. The candidacy gives it back.
   *
   * @param reason why the term is over; {@link LossReason#RELEASED} after {@link Candidacy#resign},
   *     {@link Candidacy#close}, after {@link #elected} has thrown, and after the grant was
   *     released
   */
  void deposed(LossReason reason);

  /**
   * Standing failed, for instance because the queue is full or the store refuses the client. The
   * candidacy tries again after a pause of one second at first and half a minute at most. Does
   * nothing unless it is overridden; the failure is logged in any case.
   */
  default void failed(RuntimeException problem) {}
}
