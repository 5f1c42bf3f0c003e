package io.holdfast.engine.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TicketLineTest {

  private static final AcquireOptions OPTIONS = AcquireOptions.forever();

  /** So many that it would take minutes to look for each of them from the beginning. */
  private static final int MANY = 500_000;

  private final TicketLine line = new TicketLine();

  private static List<Ticket> tickets(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Ticket.ofNoThread(OPTIONS, Duration.ofSeconds(15)))
        .toList();
  }

  private List<Ticket> rest() {
    List<Ticket> rest = new ArrayList<>();
    while (!line.isEmpty()) {
      rest.add(line.removeFirst());
    }
    return rest;
  }

  @Test
  void whoeverStaysStandsInTheOrderOfArrivalWhoeverLeaves() {
    for (long seed = 0; seed < 100; seed++) {
      List<Ticket> stay = new ArrayList<>(tickets(8));
      stay.forEach(line::add);
      List<Ticket> leave = new ArrayList<>(stay);
      Collections.shuffle(leave, new Random(seed));
      for (Ticket leaver : leave.subList(0, (int) (seed % 9))) {
        assertThat(line.remove(leaver)).isTrue();
        assertThat(line.remove(leaver)).as("whether it leaves twice").isFalse();
        stay.remove(leaver);
        assertThat(line.peek()).isSameAs(stay.isEmpty() ? null : stay.get(0));
      }
      Ticket newcomer = tickets(1).get(0);
      line.add(newcomer);
      stay.add(newcomer);
      assertThat(rest()).as("those that stay, with seed %s", seed).isEqualTo(stay);
      assertThat(line.peek()).isNull();
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void leavingCostsTheSameWhereverOneStands() {
    List<Ticket> tickets = tickets(MANY);
    tickets.forEach(line::add);
    for (int i = MANY - 1; i >= 0; i--) {
      boolean unused = line.remove(tickets.get(i));
    }
    assertThat(line.isEmpty()).isTrue();
  }
}
