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

  @Test
  void requestsThatComeOneAfterTheOtherHaveTheSessionsSeat() {
    for (long serial = 1; serial <= 3; serial++) {
      assertThat(seats.of(request(serial))).isEqualTo(ofSession(request(serial)));
      seats.left(request(serial).id());
    }
  }

  @Test
  void twoAtTheSameTimeHaveTwo() {
    assertThat(seats.of(request(1))).isEqualTo(ofSession(request(1)));
    assertThat(seats.of(request(2))).isEqualTo(own(request(2)));

    seats.left(request(2).id());

    assertThat(seats.of(request(3))).isEqualTo(own(request(3)));
  }

  @Test
  void eachLockAndEachModeHasOne() {
    Request exclusive = request(1);
    Request shared = request(2).with(LockMode.SHARED);
    Request elsewhere = request(3).with(new LockName("b"));

    assertThat(seats.of(exclusive)).isEqualTo(ofSession(exclusive));
    assertThat(seats.of(shared)).isEqualTo(ofSession(shared));
    assertThat(seats.of(elsewhere)).isEqualTo(ofSession(elsewhere));
  }

  /** One copy of it may come when the request has left. */
  @Test
  void theSeatOfARequestThatWasPutTwiceIsNotUsedAgain() {
    assertThat(seats.of(request(1))).isEqualTo(seats.of(request(1)));
    seats.left(request(1).id());

    assertThat(seats.of(request(2))).isEqualTo(own(request(2)));
  }

  /** A copy of its release may come later, or a mark may be there. */
  @Test
  void theSeatOfARequestThatWentAnotherWayIsNotUsedAgain() {
    Seat unused = seats.of(request(1));
    seats.gone(request(1).id());
    seats.left(request(1).id());

    assertThat(seats.of(request(2))).isEqualTo(own(request(2)));
  }

  @Test
  void aRequestThatOutlivesItsSessionHasItsOwn() {
    Request delayed = request(1).lockDelay(Duration.ofSeconds(1));

    assertThat(seats.of(delayed)).isEqualTo(own(delayed));
    assertThat(seats.of(request(2))).isEqualTo(ofSession(request(2)));
  }

  @Test
  void ofAnotherClientsSessionNothingIsKnown() {
    seats.forget(session);

    assertThat(seats.of(request(1))).isEqualTo(own(request(1)));
  }
}
