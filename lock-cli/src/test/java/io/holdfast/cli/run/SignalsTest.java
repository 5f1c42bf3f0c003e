package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SignalsTest {

  private final Signals signals = new Signals(Thread.currentThread());
  private final List<Signal> passedOn = new ArrayList<>();

  /** As when the lock is there, and the command is being started. */
  @BeforeEach
  void endWaiting() {
    signals.endWaiting();
  }

  @Test
  void aStopThatComesBeforeTheCommandIsThereIsForTheCommand() {
    signals.received(Signal.TSTP);

    signals.passTo(passedOn::add);

    assertThat(passedOn).containsExactly(Signal.TSTP);
  }

  @Test
  void aStopThatIsTakenBackBeforeTheCommandIsThereIsForgotten() {
    signals.received(Signal.TSTP);
    signals.received(Signal.CONT);

    signals.passTo(passedOn::add);

    assertThat(passedOn).isEmpty();
  }

  @Test
  void whatEndsAProgramIsPassedOnFirst() {
    signals.received(Signal.TSTP);
    signals.received(Signal.TERM);

    signals.passTo(passedOn::add);

    assertThat(passedOn).containsExactly(Signal.TERM, Signal.TSTP);
  }

  /** As of a service manager that stops it while a terminal goes away. */
  @Test
  void oneThatEndsAProgramTakesNoOthersPlace() {
    signals.received(Signal.TERM);
    signals.received(Signal.HUP);

    signals.passTo(passedOn::add);

    assertThat(passedOn).containsExactly(Signal.TERM, Signal.HUP);
  }

  @Test
  void aRequestToEndInGoodOrderComesBeforeOthers() {
    signals.received(Signal.HUP);
    assertThat(signals.pending()).contains(Signal.HUP);

    signals.received(Signal.TERM);
    signals.received(Signal.INT);

    assertThat(signals.pending()).contains(Signal.TERM);
  }
}
