package io.holdfast.tck.stress;

import static io.holdfast.LockMode.EXCLUSIVE;
import static io.holdfast.LockMode.SHARED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import org.junit.jupiter.api.Test;

/** Which numbers are allowed where those who share have one, and where each has its own. */
class GrantJudgeTest {

  private static final LockName LOCK = new LockName("a");
  private static final SessionId SESSION = SessionId.fresh();

  private final GrantJudge one = new GrantJudge(RunNumbers.ONE_FOR_ALL);
  private final GrantJudge own = new GrantJudge(RunNumbers.EACH_ITS_OWN);
  private final GrantJudge either = new GrantJudge(RunNumbers.EITHER);

  private static RequestId request(long serial) {
    return new RequestId(SESSION, serial);
  }

  private static void holds(GrantJudge judge, long serial, LockMode mode, long number) {
    judge.holds(LOCK, request(serial), mode, number, judge.sending());
  }

  private static void leaves(GrantJudge judge, long serial) {
    judge.noLongerHolds(LOCK, request(serial));
  }

  @Test
  void whoSharesHasTheNumberOfTheRun() {
    holds(one, 1, SHARED, 10);
    holds(one, 2, SHARED, 10);
    assertThat(one.found()).isEmpty();

    holds(one, 3, SHARED, 9);

    assertThat(one.found()).isPresent();
  }

  @Test
  void whoSharesIsToldItsOwnNumberInAnyOrder() {
    holds(own, 1, SHARED, 10);
    holds(own, 2, SHARED, 12);
    holds(own, 3, SHARED, 11);

    assertThat(own.found()).isEmpty();
  }

  @Test
  void noNumberIsGivenTwiceWhereEachHasItsOwn() {
    holds(own, 1, SHARED, 10);
    holds(own, 2, SHARED, 10);

    assertThat(own.found()).isPresent();
  }

  @Test
  void anExclusiveNumberIsAboveAllBeforeIt() {
    holds(own, 1, SHARED, 10);
    holds(own, 2, SHARED, 12);
    holds(own, 3, SHARED, 11);
    for (int serial = 1; serial <= 3; serial++) {
      leaves(own, serial);
    }

    holds(own, 4, EXCLUSIVE, 11);

    assertThat(own.found()).isPresent();
  }

  @Test
  void aSharedNumberIsAboveAllExclusiveOnesBeforeIt() {
    holds(own, 1, EXCLUSIVE, 10);
    leaves(own, 1);
    holds(own, 2, SHARED, 11);
    assertThat(own.found()).isEmpty();

    holds(own, 3, SHARED, 9);

    assertThat(own.found()).isPresent();
  }

  @Test
  void aDowngradeDrawsANumberWhereTheRunHasOne() {
    for (GrantJudge judge : new GrantJudge[] {one, own}) {
      holds(judge, 1, EXCLUSIVE, 10);
      judge.downgrading(LOCK, request(1));
    }

    one.downgraded(LOCK, request(1), 11);
    own.downgraded(LOCK, request(1), 10);
    assertThat(one.found()).isEmpty();
    assertThat(own.found()).isEmpty();

    holds(one, 2, SHARED, 11);
    holds(own, 2, SHARED, 11);
    assertThat(one.found()).isEmpty();
    assertThat(own.found()).isEmpty();
  }

  @Test
  void aDowngradeKeepsTheNumberWhereEachHasItsOwn() {
    holds(own, 1, EXCLUSIVE, 10);
    own.downgrading(LOCK, request(1));

    own.downgraded(LOCK, request(1), 11);

    assertThat(own.found()).isPresent();
  }

  @Test
  void aDowngradeThatKeepsTheNumberIsFoundWhereTheRunHasOne() {
    holds(one, 1, EXCLUSIVE, 10);
    one.downgrading(LOCK, request(1));

    one.downgraded(LOCK, request(1), 10);

    assertThat(one.found()).isPresent();
  }

  @Test
  void eitherIsAllowedWhereTheStoreMayChoose() {
    holds(either, 1, EXCLUSIVE, 10);
    leaves(either, 1);
    holds(either, 2, SHARED, 12);
    holds(either, 3, SHARED, 12);
    holds(either, 4, SHARED, 11);

    assertThat(either.found()).isEmpty();
  }

  @Test
  void whereTheStoreMayChooseAnExclusiveNumberIsAboveThatOfADowngradeToo() {
    holds(either, 1, EXCLUSIVE, 10);
    either.downgrading(LOCK, request(1));
    either.downgraded(LOCK, request(1), 11);
    leaves(either, 1);
    assertThat(either.found()).isEmpty();

    holds(either, 2, EXCLUSIVE, 11);

    assertThat(either.found()).isPresent();
  }

  @Test
  void noDowngradeLowersANumber() {
    holds(either, 1, EXCLUSIVE, 10);
    either.downgrading(LOCK, request(1));

    either.downgraded(LOCK, request(1), 9);

    assertThat(either.found()).isPresent();
  }
}
