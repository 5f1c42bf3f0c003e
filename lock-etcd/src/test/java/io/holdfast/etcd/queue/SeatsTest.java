package io.holdfast.etcd.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.etcd.format.Seat;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Request;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A seat that another request may still be told about, or deleted from, is given to no other. */
class SeatsTest {

  private final SessionId session = SessionId.fresh();
  private final Seats seats = new Seats();

  @BeforeEach
  void open() {
    seats.opened(session);
  }

  private Request request(long serial) {
    return Request.of(
        new LockName("a"), new RequestId(session, serial), new ProcessIdentity("process"));
  }

  private static Seat own(Request request) {
    return Seat.own(request.key(), request.mode());
  }

  private static Seat ofSession(Request request) {
    return Seat.ofSession(request.key(), request.mode());
  }

  /** It asks, and is answered. */
  private Seat asked(Request request) {
    Seat seat = seats.of(request);
    seats.answered(request);
    return seat;
  }

  private void free(Request request) {
    seats.free(request.key(), request.mode());
  }

  @Test
  void requestsThatComeOneAfterTheOtherHaveTheSessionsSeat() {
    for (long serial = 1; serial <= 3; serial++) {
      assertThat(asked(request(serial))).isEqualTo(ofSession(request(serial)));
      free(request(serial));
    }
  }

  @Test
  void twoAtTheSameTimeHaveTwo() {
    assertThat(asked(request(1))).isEqualTo(ofSession(request(1)));
    assertThat(asked(request(2))).isEqualTo(own(request(2)));

    free(request(1));

    assertThat(asked(request(2))).as("the same as before").isEqualTo(own(request(2)));
    assertThat(asked(request(3))).isEqualTo(ofSession(request(3)));
  }

  @Test
  void theSeatIsNotFreeWhenAnotherHasLeft() {
    asked(request(1));
    asked(request(2));

    free(request(2));

    assertThat(asked(request(3))).isEqualTo(own(request(3)));
  }

  @Test
  void eachLockAndEachModeHasOne() {
    Request exclusive = request(1);
    Request shared = request(2).with(LockMode.SHARED);
    Request elsewhere = request(3).with(new LockName("b"));

    assertThat(asked(exclusive)).isEqualTo(ofSession(exclusive));
    assertThat(asked(shared)).isEqualTo(ofSession(shared));
    assertThat(asked(elsewhere)).isEqualTo(ofSession(elsewhere));
  }

  @Test
  void aRequestThatAsksAgainHasTheSameSeat() {
    assertThat(asked(request(1))).isEqualTo(ofSession(request(1)));
    assertThat(asked(request(1))).isEqualTo(ofSession(request(1)));

    free(request(1));

    assertThat(asked(request(2))).isEqualTo(ofSession(request(2)));
  }

  /** The call may put it when the request has left. */
  @Test
  void theSeatOfARequestIsKeptForItWhileACallWasNotAnswered() {
    assertThat(seats.of(request(1))).isEqualTo(ofSession(request(1)));
    assertThat(asked(request(1))).isEqualTo(ofSession(request(1)));

    free(request(1));

    assertThat(asked(request(2))).isEqualTo(own(request(2)));
    assertThat(asked(request(1))).isEqualTo(ofSession(request(1)));
  }

  /** A copy of its grab that comes late finds it there. */
  @Test
  void whatStaysAtItsOwnSeatHasNoOther() {
    asked(request(1));
    asked(request(2));
    seats.stays(request(2).key(), request(2).mode());
    free(request(1));

    assertThat(asked(request(2))).isEqualTo(own(request(2)));
    assertThat(asked(request(3))).isEqualTo(ofSession(request(3)));
  }

  @Test
  void whatStaysAtTheSessionsSeatIsFoundThere() {
    asked(request(1));
    seats.stays(request(1).key(), request(1).mode());

    assertThat(asked(request(1))).isEqualTo(ofSession(request(1)));
  }

  @Test
  void whoFindsTheSeatTakenHasItsOwn() {
    asked(request(1));
    seats.isTaken(request(1));

    assertThat(asked(request(1))).isEqualTo(own(request(1)));
  }

  @Test
  void aRequestThatOutlivesItsSessionHasItsOwn() {
    Request delayed = request(1).lockDelay(Duration.ofSeconds(1));

    assertThat(asked(delayed)).isEqualTo(own(delayed));
    assertThat(asked(request(2))).isEqualTo(ofSession(request(2)));
  }

  @Test
  void ofAnotherClientsSessionNothingIsKnown() {
    seats.forget(session);

    assertThat(asked(request(1))).isEqualTo(own(request(1)));
  }
}
