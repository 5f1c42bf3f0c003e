package io.holdfast.cli.output;

import io.holdfast.LockClient;
import io.holdfast.error.HoldfastException;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import java.time.Duration;

/** Prints after two seconds that the command is waiting for a lock, and who holds it. */
public final class WaitingNote implements AutoCloseable {

  private static final Duration AFTER = Duration.ofSeconds(2);

  private final Thread thread;

  private WaitingNote(Thread thread) {
    this.thread = thread;
  }

  public static WaitingNote start(LockClient client, String name, Messages messages) {
    Thread thread = new Thread(() -> say(client, name, messages), "holdfast-waiting-note");
    thread.setDaemon(true);
    thread.start();
    return new WaitingNote(thread);
  }

  private static void say(LockClient client, String name, Messages messages) {
    try {
      Thread.sleep(AFTER.toMillis());
      String holder =
          client.find(name).flatMap(LockRecord::holder).map(WaitingNote::text).orElse("");
      messages.note("waiting for \"" + LockView.clean(name) + '"' + holder);
    } catch (InterruptedException e) {
      // The wait is over, so there is nothing to print.
    } catch (HoldfastException e) {
      messages.note("waiting for \"" + LockView.clean(name) + "\": " + e.getMessage());
    }
  }

  private static String text(Holder holder) {
    String why = holder.why().isEmpty() ? "" : ": " + LockView.clean(holder.why());
    return ", held by " + LockView.who(holder) + " since " + holder.since() + why;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
